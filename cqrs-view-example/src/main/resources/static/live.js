// Live updates: a stream that says when to read again.
import { changes } from "./api.js";

const sign = document.getElementById("live");
const WORDS = {
  on: "Live",
  off: "Not connected",
  wait: "Connecting …",
  away: "Paused: the store does not answer",
};
let stream;
let again;

function say(state) {
  if (sign.dataset.state !== state) {
    sign.dataset.state = state;
    sign.textContent = WORDS[state];
  }
}

/** Calls back when something of the consumer changed; an empty id ends it. */
export function follow(consumerId, changed) {
  clearTimeout(again);
  stream?.close();
  stream = undefined;
  if (!consumerId) {
    say("off");
    return;
  }
  say("wait");
  const opened = changes(consumerId);
  stream = opened;
  opened.addEventListener("changed", () => {
    say("on");
    changed();
  });
  opened.addEventListener("unavailable", () => say("away"));
  opened.addEventListener("error", () => {
    if (stream !== opened) return;
    say("wait");
    if (opened.readyState === EventSource.CLOSED) { // refused: the browser does not try again
      again = setTimeout(() => follow(consumerId, changed), 3000);
    }
  });
}
