// Light or dark: as the system wishes until the button says otherwise.

const darkWish = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = null;

/** Follows the system's wish; `changed` is called with the colours of the scene now and at each change. */
export function startTheme(changed) {
  const apply = () => {
    document.documentElement.dataset.theme = chosenTheme ?? (darkWish.matches ? "dark" : "light");
    changed(sceneColours());
  };
  darkWish.addEventListener("change", apply);
  apply();
  return {
    toggle() {
      chosenTheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      apply();
    },
  };
}

/** Colours of the scene from the style sheet, from 0 to 1. */
function sceneColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) =>
    style
      .getPropertyValue(`--scene-${name}`)
      .trim()
      .split(/\s+/)
      .map((byte) => Number(byte) / 255);
  return {
    above: colour("above"),
    below: colour("below"),
    accent: colour("accent"),
    rim: colour("rim"),
    line: [...colour("line"), 0.85],
    faint: [...colour("line"), 0.4],
    overlay: [...colour("overlay"), 0.75],
    wall: [...colour("wall"), 0.26],
  };
}
