// The source of a run: the server of `carom view`, or the page itself when the run is embedded in it.
import { bytesOfBase64, decodeContainer, gunzip } from "./container.js";

/**
 * `run()`, `shapes()`, `frame(n)`, `overlay(kind, n)` and `log()`, each a promise that may fail with a sentence;
 * `mayChange` is true if later calls may return more.
 */
export function openSource() {
  const manifest = document.getElementById("carom-run");
  return manifest ? embeddedSource(manifest) : servedSource();
}

/** Requests from the server, with the token of the page's address. */
function ask(address) {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  return fetch(address, { cache: "no-store", headers: { "X-Carom-Token": token } });
}

function servedSource() {
  return {
    mayChange: true,
    run: async () => (await served("run.json")).json(),
    shapes: async () => (await served("shapes.json")).json(),
    frame: async (n) => servedContainer(`frame/${n}`),
    overlay: async (kind, n) => servedContainer(`overlay/${encodeURIComponent(kind)}/${n}`),
    log: async () => {
      const answer = await ask("log.csv");
      return answer.ok ? answer.text() : null;
    },
  };
}

async function served(address) {
  let answer;
  try {
    answer = await ask(address);
  } catch {
    throw new Error("carom view does not answer; has it been stopped?");
  }
  if (answer.ok) return answer;
  const sentence = (await answer.text()).trim();
  throw new Error(sentence || `${address} could not be loaded: status ${answer.status}`);
}

async function servedContainer(address) {
  const answer = await served(address);
  return decodeContainer(await gunzip(new Uint8Array(await answer.arrayBuffer())));
}

function embeddedSource(manifest) {
  const frames = document.querySelectorAll("script[data-frame]");
  const byKey = new Map();
  for (const script of frames) byKey.set(embeddedKey(script.dataset.overlay, script.dataset.frame), script);
  const log = document.getElementById("carom-log");
  return {
    mayChange: false,
    run: async () => JSON.parse(manifest.textContent),
    shapes: async () => JSON.parse(document.getElementById("carom-shapes").textContent),
    frame: async (n) => embeddedContainer(byKey.get(embeddedKey(undefined, n)), `frame ${n}`),
    overlay: async (kind, n) => embeddedContainer(byKey.get(embeddedKey(kind, n)), `${kind} of frame ${n}`),
    log: async () => (log ? log.textContent : null),
  };
}

function embeddedKey(overlay, frame) {
  return `${overlay ?? "frame"} ${frame}`;
}

async function embeddedContainer(script, what) {
  if (!script) throw new Error(`${what} is not in this page`);
  if (script.dataset.fault !== undefined) throw new Error(script.dataset.fault);
  return decodeContainer(await gunzip(bytesOfBase64(script.textContent.trim())));
}
