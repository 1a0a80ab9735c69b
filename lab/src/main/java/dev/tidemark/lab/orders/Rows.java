package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import java.util.List;

/** All rows of both views, read past the library. */
record Rows(List<OrderView> orders, List<SpendingView> spending) {}
