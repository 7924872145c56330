// Messages of the page: heading of the run, its faults, and errors of the page.
import { formatCount } from "./numbers.js";

const engineWords = { "event-driven": "event-driven hard spheres", dem: "discrete element method", bonded: "bonded lattice solids" };

/** Errors of the page itself, in order. */
export const pageErrors = [];

/** Shows every uncaught error. */
export function watchErrors() {
  addEventListener("error", (event) => reportError(event.message || "a part of the page could not be loaded"));
  addEventListener("unhandledrejection", (event) => reportError(String(event.reason?.message ?? event.reason)));
}

export function reportError(sentence) {
  pageErrors.push(sentence);
  const line = document.getElementById("errors");
  line.textContent = sentence;
  line.hidden = false;
}

/** Shows a sentence at the bottom of the scene; null removes it. */
export function showNotice(sentence, isFault = false) {
  const line = document.getElementById("notice");
  line.hidden = sentence === null;
  line.classList.toggle("fault", isFault);
  line.textContent = sentence ?? "";
}

/** Title, facts and messages of a run; `bodies` is the number in the shown frame. */
export function showHeading(run, bodies) {
  document.title = `${run.title} · carom`;
  document.getElementById("title").textContent = run.title;
  const facts = document.getElementById("facts");
  const engine = engineWords[run.engine];
  facts.textContent = `${formatCount(bodies)} ${bodies === 1 ? "body" : "bodies"}${engine ? `, ${engine}` : ""}`;
  if (!run.finished) {
    const live = document.createElement("span");
    live.className = "live";
    live.textContent = " · still running";
    facts.append(live);
  }
  showMessages(run.messages ?? []);
}

function showMessages(messages) {
  const box = document.getElementById("messages");
  box.hidden = messages.length === 0;
  if (messages.length === 0) return;
  box.querySelector("summary").textContent = messages.length === 1 ? "1 message" : `${messages.length} messages`;
  box.querySelector("ul").replaceChildren(
    ...messages.map((message) => {
      const item = document.createElement("li");
      item.textContent = message;
      return item;
    }),
  );
}
