// The board of restaurants: how many orders stand in each status.
import * as api from "./api.js";
import { STATUS } from "./format.js";

const $ = (id) => document.getElementById(id);
const column = (status) => status.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase());
let timer;

/** Shows the board, and reads it again every two seconds. */
export async function openBoard() {
  clearTimeout(timer);
  try {
    show(await api.board());
  } catch {
    // what was read last stays; the page tells elsewhere that the store is away
  }
  timer = setTimeout(openBoard, document.hidden ? 10_000 : 2000);
}

function show(rows) {
  $("board").hidden = rows.length === 0;
  const statuses = Object.keys(STATUS).map((status) => ({
    text: STATUS[status],
    name: column(status),
    empty: rows.every((counts) => counts[column(status)] === 0),
  }));
  $("board-head").replaceChildren(
    cell("th", "Restaurant", { scope: "col" }),
    ...statuses.map(({ text, empty }) => cell("th", text, { scope: "col" }, empty)),
  );
  $("board-rows").replaceChildren(...rows.map((counts) => {
    const line = document.createElement("tr");
    line.append(
      cell("th", counts.restaurant, { scope: "row" }),
      ...statuses.map(({ name, empty }) => cell("td", counts[name] || "–", {}, empty)),
    );
    return line;
  }));
}

/** A narrow screen leaves out the columns that are empty. */
function cell(kind, text, attributes, empty = false) {
  const made = Object.assign(document.createElement(kind), attributes);
  made.textContent = text;
  made.classList.toggle("empty-column", empty);
  return made;
}
