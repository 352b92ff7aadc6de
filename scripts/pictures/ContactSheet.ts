/** The contact sheet: one HTML file with all small pictures, each a link to the full one. Pure. */

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** A file without language, scheme and width: `alarms.data`. */
const subjectOf = (file: string): string => file.split(".").slice(0, -3).join(".")

/** `files`: names without folder and extension, `alarms.data.en.light.390`. */
export const contactSheet = (files: ReadonlyArray<string>): string => {
  const rows = [...Map.groupBy(files, subjectOf)]
  const picture = (file: string) => {
    const title = file.split(".").slice(-3).join(" ")
    return (
      `<a href="full/${escaped(file)}.jpg"><img src="small/${escaped(file)}.jpg" loading="lazy" alt="${title}">` +
      `<span>${title}</span></a>`
    )
  }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pictures of Signalbox</title>
<style>
body { font: 14px system-ui, sans-serif; margin: 1rem; background: #888; color: #000 }
section { margin-bottom: 1.5rem }
h2 { font-size: 1rem; margin: 0 0 .4rem }
div { display: flex; flex-wrap: wrap; gap: .5rem; align-items: start }
a { display: block; color: inherit; text-decoration: none }
img { display: block; width: 240px; max-height: 320px; object-fit: cover; object-position: top }
</style>
<h1>${files.length} pictures</h1>
<p>${rows.map(([name]) => `<a style="display: inline" href="#${escaped(name)}">${escaped(name)}</a>`).join(", ")}</p>
${rows
  .map(
    ([name, some]) =>
      `<section id="${escaped(name)}"><h2>${escaped(name)}</h2><div>${some.map(picture).join("\n")}</div></section>`
  )
  .join("\n")}
</html>
`
}
