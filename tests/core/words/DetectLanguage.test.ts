import { assert, it } from "@effect/vitest"
import { detectLanguage } from "#core/words/DetectLanguage.ts"

it.each([
  ["de", "Wasser im Keller"],
  ["de", "Kühlung ausgefallen"],
  ["de", "Server antwortet nicht"],
  ["de", "Das Tor ist offen"],
  ["de", "USV auf Batterie"],
  ["de", "Der Fahrstuhl steckt fest, bitte sofort kommen."],
  ["de", "Bitte rufen Sie zurück, es ist dringend"],
  ["de", "Host web1 ist nicht erreichbar (connection to server failed)"],
  ["en", "Disk full on db1"],
  ["en", "Water in the cellar!"],
  ["en", "Pump 3 is down"],
  ["en", "Temperature too high: 41 degrees"],
  ["en", "Please call back, it is urgent"],
  ["en", "The unit is on fire."],
  [undefined, "Pumpe 3 steht."],
  [undefined, "Sicherung gefallen"],
  [undefined, "db1 42 %"],
  [undefined, ""]
])("%s: %s", (language, text) => {
  assert.strictEqual(detectLanguage(text), language)
})
