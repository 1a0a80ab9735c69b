// Makes the replica set of one, where it is not there yet, and ends with 0 once it takes writes.
try {
  rs.status();
} catch (e) {
  rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "mongodb:27017" }] });
}
quit(db.hello().isWritablePrimary ? 0 : 1);
