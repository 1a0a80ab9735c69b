package dev.tidemark.spring.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class SliceApplication {}
