package dev.tidemark.spring.slice;

record Paid(String account, long cents) {}
