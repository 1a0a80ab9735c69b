// The page: what is asked for, what of it is loaded, and how it is kept up to date.
import * as api from "./api.js";
import { openBoard } from "./board.js";
import { STATUS, month as monthName, money, plural, status } from "./format.js";
import * as list from "./orders.js";
import { follow } from "./live.js";

const PAGE = 20;
const MOST = 100; // what one request may ask for
const REST = 30_000; // live updates tell of the newest orders; older ones are read this often
const $ = (id) => document.getElementById(id);
const filters = $("filters");

const state = { consumer: "", month: "", orders: [], next: null, reading: false, stale: false };
let reading = new AbortController();
let again; // the timer of another attempt

// ---- What is asked for: in the address, so that it can be kept and shared

function readAddress() {
  const query = new URLSearchParams(location.search);
  state.consumer = query.get("consumer") ?? "";
  $("consumer").value = state.consumer;
  for (const name of ["status", "since", "keyword"]) {
    filters.elements[name].value = query.get(name) ?? "";
  }
}

function writeAddress() {
  const query = new URLSearchParams();
  if (state.consumer) query.set("consumer", state.consumer);
  for (const [name, value] of new FormData(filters)) {
    if (value) query.set(name, value);
  }
  history.replaceState(null, "", query.size === 0 ? "/" : `?${query}`);
  filters.querySelector("[type=reset]").hidden = !isFiltered();
}

function question() {
  const { status: wanted, since, keyword } = Object.fromEntries(new FormData(filters));
  const from = since ? new Date(`${since}T00:00:00`).toISOString() : "";
  return { status: wanted, since: from, keyword: keyword.trim() };
}

const isFiltered = () => Object.values(question()).some(Boolean);

// ---- Orders

/** Reads from the newest on: as many as are shown, at least a page. */
async function load({ quiet }) {
  const { signal } = begun();
  if (!quiet) {
    state.orders = [];
    $("older").hidden = $("empty").hidden = true;
    $("count").textContent = "";
    list.loading();
  }
  const limit = Math.min(MOST, Math.max(PAGE, state.orders.length));
  const { month } = state;
  await attempt(signal, async () => {
    const [page, sums] = await Promise.all([
      api.orders(state.consumer, { ...question(), limit }, signal),
      api.spending(state.consumer, month),
    ]);
    if (signal.aborted) return;
    keep(page);
    if (month === state.month) showSums(sums);
    $("problem").hidden = true;
  });
}

/** Begins to read, in place of what is being read now. */
function begun() {
  clearTimeout(again);
  reading.abort();
  reading = new AbortController();
  state.reading = true;
  state.stale = false;
  $("orders").setAttribute("aria-busy", "true");
  return reading;
}

/** Reads, and reads again at once if something changed meanwhile. */
async function attempt(signal, read) {
  try {
    await read();
  } catch (fault) {
    if (!signal.aborted) problem(fault);
  }
  if (signal.aborted) return;
  state.reading = false;
  $("orders").setAttribute("aria-busy", "false");
  if (state.stale) load({ quiet: true });
}

/** Something changed: read it, but let a read that is under way end first. */
function changed() {
  if (state.reading) state.stale = true;
  else load({ quiet: true });
}

function keep({ orders, nextPageToken }) {
  const rest = state.orders.length > MOST ? olderThan(orders.at(-1)) : [];
  if (rest.length === 0) state.next = nextPageToken;
  const known = new Set(state.orders.map((order) => order.orderId));
  const fresh = known.size > 0 ? orders.filter((order) => !known.has(order.orderId)) : [];
  state.orders = [...orders, ...rest];
  tell(fresh, list.show(state.orders));
  showEnds();
}

const olderThan = (last) =>
  state.orders.filter((order) => last && order.createdAt < last.createdAt);

async function older() {
  const { signal } = begun();
  $("older").disabled = true;
  await attempt(signal, async () => {
    const asked = { ...question(), limit: PAGE, pageToken: state.next };
    const page = await api.orders(state.consumer, asked, signal);
    state.orders.push(...page.orders);
    state.next = page.nextPageToken;
    list.show(state.orders);
    showEnds();
    if (page.orders.length > 0) list.focusOn(page.orders[0].orderId);
    $("news").textContent = plural(page.orders.length, "older order", "older orders");
  });
  $("older").disabled = false;
}

function showEnds() {
  const count = state.orders.length;
  $("count").textContent =
    count === 0 ? "" : `${plural(count, "order", "orders")}${state.next ? ", newest first" : ""}`;
  $("older").hidden = !state.next;
  $("empty").hidden = count > 0;
  $("empty-title").textContent = isFiltered()
    ? "No order is like that"
    : `${state.consumer} has no orders yet`;
  $("empty-text").textContent = isFiltered()
    ? "Clear the filters to see all of them."
    : "A new order shows up here by itself.";
}

/** For who hears the page: what is new, and what changed. */
function tell(fresh, changed) {
  const news = [
    ...fresh.map((order) => `New order from ${order.restaurant}`),
    ...changed.map((order) => `${order.restaurant}, ${order.orderId}: ${status(order.status)}`),
  ];
  if (news.length > 0) {
    $("news").textContent =
      news.length > 3 ? plural(news.length, "order changed", "orders changed") : news.join(". ");
  }
}

// ---- Sums

function showSums(sums) {
  const net = sums.spent + sums.tips - sums.refunded;
  for (const field of document.querySelectorAll("[data-sum]")) {
    const name = field.dataset.sum;
    field.textContent = name === "orders" ? sums.orders : money(name === "net" ? net : sums[name]);
  }
}

function fillMonths() {
  const now = new Date();
  for (let back = 0; back < 12; back++) {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    const name = at.toISOString().slice(0, 7);
    $("month").append(new Option(monthName(name), name));
  }
  state.month = $("month").value;
}

// ---- Problems

function problem(fault) {
  const offending = fault.parameter ? ` (${fault.parameter}: “${fault.value}”)` : "";
  $("problem-title").textContent = fault.passes ? "The orders cannot be read now" : "That cannot be asked";
  $("problem-text").textContent = fault.passes
    ? `${fault.message}. The page tries again by itself.`
    : `${fault.message}${offending}`;
  $("problem").hidden = false;
  if (state.orders.length === 0) list.clear();
  if (fault.passes) again = setTimeout(() => load({ quiet: state.orders.length > 0 }), 3000);
}

// ---- Beginning

function begin() {
  writeAddress();
  document.title = state.consumer ? `${state.consumer} – Order history` : "Order history";
  if (!state.consumer) {
    reading.abort();
    clearTimeout(again);
    $("problem").hidden = true;
    list.clear();
    follow("");
    $("empty").hidden = false;
    $("empty-title").textContent = "Whose orders?";
    $("empty-text").textContent = "Enter a consumer above.";
    $("consumer").focus();
    return;
  }
  load({ quiet: false });
  follow(state.consumer, changed);
}

setInterval(() => {
  if (state.consumer && !document.hidden) changed();
}, REST);

let typing;
filters.addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(begin, event.target.name === "keyword" ? 250 : 0);
});
filters.addEventListener("reset", () => {
  filters.elements.status.focus(); // the button goes away
  setTimeout(begin);
});
filters.addEventListener("submit", (event) => event.preventDefault());
$("who").addEventListener("submit", (event) => {
  event.preventDefault();
  state.consumer = $("consumer").value.trim();
  begin();
});
$("month").addEventListener("input", async () => {
  state.month = $("month").value;
  const { consumer, month } = state;
  if (!consumer) return;
  const isAsked = () => consumer === state.consumer && month === state.month;
  try {
    const sums = await api.spending(consumer, month);
    if (isAsked()) showSums(sums); // else a later choice has its own answer
  } catch (fault) {
    if (isAsked()) problem(fault);
  }
});
$("older").addEventListener("click", older);
$("retry").addEventListener("click", () => load({ quiet: state.orders.length > 0 }));
addEventListener("popstate", () => {
  readAddress();
  begin();
});

for (const [value, text] of Object.entries(STATUS)) {
  filters.elements.status.append(new Option(text, value));
}
fillMonths();
readAddress();
begin();
api.about().then(({ store, carrier, board }) => {
  $("about").textContent = `Views in ${store === "mongodb" ? "MongoDB" : "DynamoDB"}, events by ${carrier}.`;
  if (board) openBoard();
}, () => {});
