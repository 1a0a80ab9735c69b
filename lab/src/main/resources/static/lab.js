// The control panel of the demonstration, which its server adds to the page.
import { order as readOrder, orders as readOrders } from "./api.js";
import * as api from "./lab-api.js";
import { money, plural } from "./format.js";

const $ = (id) => document.getElementById(id);
const NAMES = {
  deliveries: "Deliveries",
  Applied: "Applied",
  Duplicate: "Duplicate",
  Stale: "Stale",
  Gap: "Gap",
  Refused: "Refused",
  HeldBack: "Held back",
  others: "Others",
  repeats: "Own retries",
  dropped: "Lost replies",
  killed: "Killed",
  restarts: "Restarted",
};
const DID = {
  place: (sent) => `Placed ${sent.orderId}.`,
  life: (sent) => `${sent.orderId} goes through its life in ${sent.events} steps.`,
  redeliver: (sent) => `Sent the last ${plural(sent.events, "event", "events")} once more.`,
  reorder: (sent) => `Sent the ${sent.events} events of ${sent.orderId}, the last one first.`,
  kill: (sent) => `The consumer dies after writing ${sent.orderId}, before it commits.`,
  drop: (sent) => `The store's reply to the batch with ${sent.orderId} gets lost.`,
  "relay-kill": () => "The relay is killed: what rows publish waits.",
  "relay-start": () => "The relay is started; it sends once the lease of a dead one is over.",
};
let timer;

/** Whose orders the page shows; it keeps that in its address. */
const consumer = () => new URLSearchParams(location.search).get("consumer") ?? "";

async function look() {
  clearTimeout(timer);
  try {
    const status = await api.lab(consumer());
    suggest(status.consumers);
    showTruth(status);
    showTwin(status);
    showCounters(status.counters);
    showRelay(status.relay);
  } catch {
    truth("wait", "The views cannot be compared now: no answer.");
  }
  timer = setTimeout(look, document.hidden ? 5000 : 1000);
}

function showTruth({ truth: { compared, wrong }, waiting }) {
  if (wrong.length === 0 && waiting === 0) {
    truth("yes", `Views equal the events: yes. ${compared} rows compared.`);
  } else if (waiting > 0) {
    truth("wait", `Views equal the events: ${plural(waiting, "event is", "events are")} on the way.`);
  } else {
    truth("no", `Views equal the events: no. Wrong: ${wrong.slice(0, 3).join(", ")}`);
  }
}

/** This month's sums beside those of views that get the same deliveries and remember none. */
function showTwin({ twin, waiting }) {
  $("twin").hidden = !twin.tracked;
  if (!twin.tracked) return;
  for (const [side, sums] of [["tracked", twin.tracked], ["untracked", twin.untracked]]) {
    for (const name of ["orders", "spent", "tips", "refunded"]) {
      const field = $("twin").querySelector(`[data-${side}=${name}]`);
      field.textContent = name === "orders" ? sums[name] : money(sums[name]);
      field.classList.toggle("wrong", waiting === 0 && sums[name] !== twin.truth[name]);
    }
  }
  $("twin-wrong").textContent = twin.wrong.toLocaleString("en");
  $("twin-rows").textContent = twin.compared.toLocaleString("en");
  $("twin-says").dataset.state = twin.wrong > 0 ? "no" : "yes";
}

function showRelay({ running, waiting, sent, equal }) {
  $("relay-state").textContent = running ? "runs" : "dead";
  $("relay-waiting").textContent = waiting.toLocaleString("en");
  $("relay-sent").textContent = sent.toLocaleString("en");
  $("relay-board").textContent = equal ? "yes" : "not yet";
  $("relay").dataset.state = !running ? "no" : equal ? "yes" : "wait";
}

function truth(state, text) {
  if ($("truth").textContent !== text) {
    $("truth").dataset.state = state;
    $("truth").textContent = text;
  }
}

function showCounters(counters) {
  for (const [name, count] of Object.entries(counters)) {
    let field = $("counters").querySelector(`[data-counter="${name}"]`);
    if (!field) {
      const row = document.createElement("div");
      const title = document.createElement("dt");
      field = document.createElement("dd");
      title.textContent = NAMES[name] ?? name;
      field.dataset.counter = name;
      row.append(title, field);
      $("counters").append(row);
    }
    const text = count.toLocaleString("en");
    if (field.textContent !== text) {
      field.classList.toggle("grown", field.textContent !== "");
      field.textContent = text;
    } else {
      field.classList.remove("grown");
    }
  }
}

function suggest(consumers) {
  if ($("consumers").children.length !== consumers.length) {
    $("consumers").replaceChildren(...consumers.map((id) => new Option(id, id)));
  }
  if (!consumer() && $("consumer").value === "" && consumers.length > 0) {
    $("consumer").value = consumers[0];
    $("who").requestSubmit();
  }
}

async function act({ currentTarget: button }) {
  button.disabled = true;
  try {
    const { do: action, count } = button.dataset;
    const sent = await api.act(action, { consumerId: consumer() || "consumer-1", count });
    $("did").textContent = DID[action](sent);
    look();
  } catch (fault) {
    $("did").textContent = `That did not work: ${fault.message}`;
  } finally {
    button.disabled = false;
    button.focus();
  }
}

/** The order once it has seen the event; the service waits for 2 s at a time. */
async function seen({ orderId, notBefore }, attempts = 5) {
  try {
    return await readOrder(orderId, notBefore);
  } catch (fault) {
    if (fault.status !== 409 || attempts === 1) throw fault;
    return seen({ orderId, notBefore }, attempts - 1);
  }
}

/**
 * Sends an event while the consumer is slow, as one with a backlog is; reads at once as a list does,
 * and reads with the event's place as a token, which waits for it.
 */
async function readOwn() {
  const id = consumer() || "consumer-1";
  $("own").disabled = true;
  try {
    const sent = await api.act("tip", { consumerId: id });
    const from = performance.now();
    const [list, fresh] = await Promise.all([
      readOrders(id, { limit: 100 }),
      seen(sent).then((order) => ({
        order,
        millis: Math.round(performance.now() - from),
      })),
    ]);
    const listed = list.orders.find((order) => order.orderId === sent.orderId);
    const behind = listed?.tips !== fresh.order.tips;
    $("own-eventual").textContent =
      `${listed ? `tip ${money(listed.tips)}` : "not there"} (${behind ? "not yet" : "already there"})`;
    $("own-fresh").textContent =
      `Fresh: tip ${money(fresh.order.tips)}, after ${fresh.millis} ms (${sent.notBefore})`;
    $("own-result").hidden = false;
  } catch (fault) {
    $("did").textContent = fault.status === 409
      ? `Not yet: the order has not seen ${fault.value}. Try again.`
      : `That did not work: ${fault.message}`;
  } finally {
    $("own").disabled = false;
    $("own").focus();
  }
}

/** Sends a checkout twice at once, as a double click does, and asks the provider what it counted. */
async function payTwice() {
  $("pay").disabled = true;
  try {
    const key = crypto.randomUUID();
    const order = { consumerId: consumer() || "consumer-1", cents: 2500 };
    const receipts = await Promise.all([api.checkout(key, order), api.checkout(key, order)]);
    const [first, second] = receipts.sort((a, b) => a.replayed - b.replayed);
    const charges = await api.charges(first.orderId);
    const same = first.charge === second.charge && !first.replayed && second.replayed;
    $("pay-answers").textContent =
      `${first.charge}, and ${same ? "the same replayed" : `${second.charge}, which is wrong`}`;
    $("pay-charges").textContent =
      `${plural(charges, "charge", "charges")} of ${money(first.cents)}`;
    $("pay-result").hidden = false;
  } catch (fault) {
    $("did").textContent = `That did not work: ${fault.message}`;
  } finally {
    $("pay").disabled = false;
    $("pay").focus();
  }
}

/** Puts the panel into the page. */
async function open() {
  const panel = document.createElement("template");
  panel.innerHTML = await (await fetch("lab.html")).text();
  document.querySelector(".columns").prepend(panel.content);
  document.querySelectorAll("[data-do]").forEach((b) => b.addEventListener("click", act));
  $("own").addEventListener("click", readOwn);
  $("pay").addEventListener("click", payTwice);
  document.body.classList.add("has-lab");
  look();
}

open();
