package dev.tidemark.lambda;

import com.amazonaws.services.lambda.runtime.events.KinesisEvent.KinesisEventRecord;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/**
 * Knows records that the producer library of Kinesis aggregated: four bytes that are always the
 * same, then the records in Protocol Buffers, then the MD5 of these.
 */
final class Aggregate {
  private static final byte[] MAGIC = {(byte) 0xF3, (byte) 0x89, (byte) 0x9A, (byte) 0xC2};
  private static final int DIGEST_BYTES = 16;

  private Aggregate() {}

  /** The record as one of the user's, if it is one. */
  static List<KinesisRecord> refused(KinesisEventRecord carrier) {
    KinesisRecord record = KinesisRecord.of(carrier);
    if (isAggregate(record.bytes())) {
      throw new IllegalStateException(
          "record %s was aggregated by the producer library, and Lambda does not take it apart; say how to by KinesisBatch.splitting, or switch aggregation off in the producer"
              .formatted(carrier.getKinesis().getSequenceNumber()));
    }
    return List.of(record);
  }

  private static boolean isAggregate(byte[] data) {
    int end = data.length - DIGEST_BYTES;
    return end >= MAGIC.length
        && Arrays.equals(data, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        && Arrays.equals(md5(data, MAGIC.length, end), Arrays.copyOfRange(data, end, data.length));
  }

  private static byte[] md5(byte[] data, int from, int to) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(data, from, to - from);
      return digest.digest();
    } catch (NoSuchAlgorithmException e) { // every Java has it
      throw new IllegalStateException(e);
    }
  }
}
