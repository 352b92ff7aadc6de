// Runs on every page of the guide: colour theme of the console, a note for German readers, filter of the list of pages,
// buttons that copy a block.

// In the head, so that the page never shows in another theme first.
const theme = localStorage.getItem("signalbox.theme")
if (theme !== null) document.documentElement.dataset.theme = theme

/** Whether the reader chose German in the console, or the browser prefers it. */
const readsGerman = (localStorage.getItem("signalbox.language") ?? navigator.language).toLowerCase().startsWith("de")

/** Shows the entries that have all words. */
const filter = (input) => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const section of document.querySelectorAll("#pages section")) {
    let shown = 0
    for (const entry of section.querySelectorAll("li")) {
      entry.hidden = !words.every((word) => entry.dataset.words.includes(word))
      if (!entry.hidden) shown++
    }
    section.hidden = shown === 0
    found += shown
  }
  document.getElementById("none").hidden = found > 0
}

/** How long a button says that the block is copied. Unit: milliseconds. */
const copiedFor = 2_000

const copyButton = (block) => {
  const around = document.createElement("div")
  around.className = "copied"
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = "Copy"
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(block.textContent).then(() => {
      button.textContent = "Copied"
      setTimeout(() => (button.textContent = "Copy"), copiedFor)
    })
  })
  block.replaceWith(around)
  around.append(block, button)
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".language").hidden = !readsGerman
  const input = document.querySelector("header input")
  input.hidden = false
  input.addEventListener("input", () => filter(input))
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter" && input.value !== "") document.querySelector("#pages li:not([hidden]) a")?.click()
  })
  // Browsers offer the clipboard only to pages by https and of this machine.
  if (navigator.clipboard !== undefined) document.querySelectorAll("main pre").forEach(copyButton)
})
