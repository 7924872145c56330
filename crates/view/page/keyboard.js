// Keyboard shortcuts, except for keys that a focused field needs itself.

/** `keys` has an action for each key, by its name or its lower-case letter. */
export function startKeyboard(keys) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = keys[name];
    if (!action || belongsToField(event.target, name)) return;
    event.preventDefault();
    action(event.shiftKey);
  });
}

function belongsToField(element, name) {
  if (element.matches("select, input:not([type=range]):not([type=checkbox])")) return name !== "Escape";
  if (element.matches("input[type=range]")) return element.id !== "slider" && /^(Arrow|Home|End)/.test(name);
  return element.matches("button, summary, input[type=checkbox]") && (name === " " || name === "Enter");
}
