// Light or dark theme: that of the system until the button is used.

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = null;

/** Follows the system's theme; `changed` is called with the colors of the scene now and at each change. */
export function startTheme(changed) {
  const apply = () => {
    document.documentElement.dataset.theme = chosenTheme ?? (prefersDark.matches ? "dark" : "light");
    changed(sceneColors());
  };
  prefersDark.addEventListener("change", apply);
  apply();
  return {
    toggle() {
      chosenTheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      apply();
    },
  };
}

/** Colors of the scene from the style sheet, from 0 to 1. */
function sceneColors() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) =>
    style
      .getPropertyValue(`--scene-${name}`)
      .trim()
      .split(/\s+/)
      .map((byte) => Number(byte) / 255);
  return {
    above: color("above"),
    below: color("below"),
    accent: color("accent"),
    rim: color("rim"),
    line: [...color("line"), 0.85],
    faint: [...color("line"), 0.4],
    overlay: [...color("overlay"), 0.75],
    wall: [...color("wall"), 0.26],
  };
}
