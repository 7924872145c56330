// Where the run comes from.

export async function readManifest() {
  const embedded = document.getElementById("carom-run");
  if (embedded) return JSON.parse(embedded.textContent);
  return (await fetch("run.json")).json();
}
