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
  if ($("board-head").children.length === 0) {
    $("board-head").append(...["Restaurant", ...Object.values(STATUS)].map((text) => {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = text;
      return cell;
    }));
  }
  $("board-rows").replaceChildren(...rows.map(row));
}

function row(counts) {
  const line = document.createElement("tr");
  const name = document.createElement("th");
  name.scope = "row";
  name.textContent = counts.restaurant;
  line.append(name, ...Object.keys(STATUS).map((status) => {
    const cell = document.createElement("td");
    const count = counts[column(status)];
    cell.dataset.status = status;
    cell.textContent = count === 0 ? "–" : count;
    return cell;
  }));
  return line;
}
