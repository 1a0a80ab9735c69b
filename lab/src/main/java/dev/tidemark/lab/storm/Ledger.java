package dev.tidemark.lab.storm;

import java.util.ArrayList;
import java.util.List;
import org.bson.codecs.pojo.annotations.BsonId;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/**
 * The entity of the storm, which shows each effect as often as it took place: an event appends its
 * code to the journal and adds its weight to the sum. Mutable, as both mappers want it; for one
 * thread.
 */
@DynamoDbBean
public final class Ledger {
  private String id = "";
  private List<String> journal = new ArrayList<>();
  private long sum;
  private long life;

  /** The key. */
  @BsonId
  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  /** The codes of the events that were applied since the ledger was last created, in order. */
  public List<String> getJournal() {
    return journal;
  }

  public void setJournal(List<String> journal) {
    this.journal = journal;
  }

  /** The weights of the same events. */
  public long getSum() {
    return sum;
  }

  public void setSum(long sum) {
    this.sum = sum;
  }

  /** The position of the event that created the ledger, or created it again; 0 before it came. */
  public long getLife() {
    return life;
  }

  public void setLife(long life) {
    this.life = life;
  }
}
