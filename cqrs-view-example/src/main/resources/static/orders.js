// The list of orders: draws what is new or changed and leaves the rest alone.
import { day, hour, money, status } from "./format.js";

const list = document.getElementById("orders");
const template = document.getElementById("order");
const shown = new Map(); // by id: what is drawn, and its element

function element(tag, text, className) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function line(quantity, name, cents, className) {
  const row = document.createElement("tr");
  if (className) row.className = className;
  row.append(element("td", quantity, "quantity"), element("td", name), element("td", cents, "money"));
  return row;
}

function lines(order) {
  const rows = order.lines.map((l) => line(`${l.quantity} ×`, l.name, money(l.cents)));
  if (order.tips > 0) rows.push(line("", "Tip", money(order.tips), "extra"));
  if (order.refunded > 0) rows.push(line("", "Paid back", `−${money(order.refunded)}`, "extra"));
  return rows;
}

function step({ status: name, at }) {
  const item = element("li", "");
  const time = element("time", hour(at));
  time.dateTime = at;
  item.append(element("span", status(name)), time);
  return item;
}

function draw(order) {
  const item = template.content.firstElementChild.cloneNode(true);
  const of = (name) => item.querySelector(`[data-of=${name}]`);
  item.dataset.order = order.orderId;
  item.dataset.status = order.status;
  of("restaurant").textContent = order.restaurant;
  of("status").textContent = status(order.status);
  of("total").textContent = money(order.total);
  of("created").textContent = day(order.createdAt);
  of("created").dateTime = order.createdAt;
  of("id").textContent = order.orderId;
  of("courier").textContent = order.courier ? `Courier: ${order.courier}` : "";
  of("lines").append(...lines(order));
  of("timeline").append(...order.timeline.map(step));
  return item;
}

/** Shows these orders, and returns those that were shown before and are other than before. */
export function show(orders) {
  const changed = [];
  const before = new Map(shown);
  const first = before.size === 0;
  shown.clear();
  list.querySelectorAll(".skeleton").forEach((item) => item.remove());
  let place = list.firstElementChild;
  for (const order of orders) {
    const text = JSON.stringify(order);
    const old = before.get(order.orderId);
    let item = old?.item;
    if (old?.text !== text) {
      item = draw(order);
      if (old) {
        if (old.item === place) place = item;
        old.item.replaceWith(item);
      }
      if (!first) item.classList.add("news");
      if (old) changed.push(order);
    }
    if (item !== place) list.insertBefore(item, place);
    place = item.nextElementSibling;
    shown.set(order.orderId, { text, item });
  }
  for (const [id, { item }] of before) {
    if (!shown.has(id)) item.remove();
  }
  return changed;
}

/** Shows that orders are on their way, where there are none yet. */
export function loading() {
  shown.clear();
  list.replaceChildren(
    ...[1, 2, 3].map(() => {
      const item = element("li", "", "card order skeleton");
      item.setAttribute("aria-hidden", "true");
      item.append(element("div", ""), element("div", ""), element("div", ""));
      return item;
    }),
  );
}

export const clear = () => show([]);
export const isShown = (id) => shown.has(id);
export const focusOn = (id) => shown.get(id)?.item.querySelector("h3").focus();
