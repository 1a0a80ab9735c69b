package dev.tidemark.lab.command;

/** The stores that a command can have. */
public enum StoreOption {
  /** DynamoDB Local. */
  dynamodb,
  /** A MongoDB server. */
  mongodb
}
