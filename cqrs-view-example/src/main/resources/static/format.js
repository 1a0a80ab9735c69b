// How things are written.

const euros = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" });
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const hours = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const months = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

export const STATUS = {
  CREATED: "Placed",
  ACCEPTED: "Accepted",
  COURIER_ASSIGNED: "Courier found",
  READY: "Cooked",
  PICKED_UP: "On its way",
  DELIVERED: "Delivered",
  CANCELLED: "Cancelled",
};

export const money = (cents) => euros.format(cents / 100);
export const day = (time) => days.format(new Date(time));
export const hour = (time) => hours.format(new Date(time));
export const month = (name) => months.format(new Date(`${name}-01T00:00:00Z`));
export const status = (name) => STATUS[name] ?? name.toLowerCase().replaceAll("_", " ");
export const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;
