// Live updates: a stream that says when to read again.
import { changes } from "./api.js";

const sign = document.getElementById("live");
const WORDS = {
  on: "Live",
  off: "Not connected",
  wait: "Connecting …",
  away: "Paused: the store does not answer",
  silent: "The service does not answer",
};
const PATIENCE = 4000; // milliseconds; the service gives a sign every second
let stream;
let again;
let silence; // the timer that runs out where no sign comes
let heard; // what was said before that

function say(state) {
  if (sign.dataset.state !== state) {
    sign.dataset.state = state;
    sign.textContent = WORDS[state];
  }
}

/** Something came: what is shown is true for a while. */
function hear(state) {
  clearTimeout(silence);
  heard = state;
  say(state);
  silence = setTimeout(() => say("silent"), PATIENCE);
}

/** Calls back when something of the consumer changed; an empty id ends it. */
export function follow(consumerId, changed) {
  clearTimeout(again);
  clearTimeout(silence);
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
    hear("on");
    changed();
  });
  opened.addEventListener("unavailable", () => hear("away"));
  opened.addEventListener("alive", () => hear(heard));
  opened.addEventListener("error", () => {
    if (stream !== opened) return;
    clearTimeout(silence);
    say("wait");
    if (opened.readyState === EventSource.CLOSED) { // refused: the browser does not try again
      again = setTimeout(() => follow(consumerId, changed), 3000);
    }
  });
}
