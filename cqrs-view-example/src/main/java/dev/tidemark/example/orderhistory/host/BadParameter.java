package dev.tidemark.example.orderhistory.host;

/** A parameter of a request is wrong. */
final class BadParameter extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 64;

  private final String name;
  private final String value;

  BadParameter(String name, String value, String rule) {
    super(name + " " + rule);
    this.name = name;
    this.value = value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "…";
  }

  String name() {
    return name;
  }

  /** What was given, cut at 64 characters. */
  String value() {
    return value;
  }
}
