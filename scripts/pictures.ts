/**
 * `npm run pictures -- [FOLDER] [--only PATTERN] [--language en|de] [--width 390|1440]`: starts a suite with
 * demonstration data, and makes pictures of all pages and a contact sheet, `FOLDER/index.html`. Default: `pictures/`.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { WebhookSink } from "../tests/support/WebhookSink.ts"
import { launch } from "../tests/support/TestBrowser.ts"
import { type CameraOptions, makeCamera } from "./pictures/Camera.ts"
import { contactSheet } from "./pictures/ContactSheet.ts"
import { demoData } from "./pictures/DemoData.ts"
import { firstHour, firstHourSteps } from "./pictures/FirstHour.ts"
import { startMailServer } from "./pictures/MailServer.ts"
import { password, type Place, startPlace } from "./pictures/Place.ts"
import { consoleRoutes } from "./pictures/Routes.ts"
import {
  consoleSubjects,
  type Language,
  languages,
  openSubjects,
  schemes,
  type State,
  type Subject,
  widths
} from "./pictures/Shots.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, language: { type: "string" }, width: { type: "string" } }
})
const folder = resolve(positionals[0] ?? "pictures")
const only = new RegExp(values.only ?? "")
const wantedLanguages = languages.filter((one) => values.language === undefined || values.language === one)
const wantedWidths = widths.filter((one) => values.width === undefined || Number(values.width) === one)
const looks = wantedLanguages.length * wantedWidths.length * schemes.length
if (looks === 0) throw new Error("--language is en or de, --width is 390 or 1440")

/** Each language has a user of its own, because the account's language is that of answers and notifications. */
const emailOf = (language: Language) => `anna.${language}@example.org`
const routes = consoleRoutes()
const subjectsOf = (state: State, place: Place, examples = {}): ReadonlyArray<Subject> =>
  [...consoleSubjects(routes, state, examples), ...openSubjects(state, place)].filter(({ name }) => only.test(name))

const files: Array<string> = []
let total = 0
const taken = (file: string) => {
  files.push(file)
  process.stderr.write(`\r${files.length}/${total} ${file.padEnd(60).slice(0, 60)}`)
}

const browser = await launch()
const sink = new WebhookSink()
sink.behaviour = ({ path }) => ({ status: path === "/gone" ? 410 : 200 })
const webhook = await sink.start()
const mailServer = await startMailServer(languages.map(emailOf))
const place = await startPlace(mailServer?.environment)

/** Takes subjects in all languages, two languages at a time. */
const takeAll = (subjects: ReadonlyArray<Subject>) =>
  Promise.all(
    wantedLanguages.map(async (language) => {
      const options: CameraOptions = { browser, base: place.base, folder, language, schemes, widths: wantedWidths }
      for (const signedIn of [true, false]) {
        const some = subjects.filter((subject) => subject.signedIn === signedIn)
        if (some.length === 0) continue
        const camera = await makeCamera(
          signedIn ? { ...options, user: { email: emailOf(language), password } } : options
        )
        for (const subject of some) {
          try {
            await camera.open(subject)
            await camera.take(subject.name, taken)
          } catch (error) {
            process.stderr.write(`\nno picture of ${subject.name}: ${String(error).split("\n")[0]}\n`)
          }
        }
        await camera.close()
      }
    })
  )

/** Takes the first hour in one language, in an installation of its own: its link signs in only once. */
const takeStory = async (language: Language) => {
  const fresh = await startPlace()
  const options = { browser, base: fresh.base, folder, language, schemes, widths: wantedWidths }
  const camera = await makeCamera(options)
  const { link, printed } = fresh
  await firstHour(camera, { language, link, printed, webhook, taken }).catch((error) =>
    process.stderr.write(`\nthe first hour (${language}) ended: ${String(error).split("\n")[0]}\n`)
  )
  await camera.close()
  await fresh.stop()
}

try {
  mkdirSync(folder, { recursive: true })
  const userIds: Array<number> = []
  for (const locale of languages) {
    const user = { email: emailOf(locale), name: "Anna Admin", role: "admin", locale, password, tenant_id: 1 }
    userIds.push((await place.ask("POST", "/api/v1/users", user)).id)
  }
  const withStory = only.test("first-hour")
  const perLook = 2 * subjectsOf("empty", place).length + (withStory ? firstHourSteps : 0)
  total = perLook * looks
  await takeAll(subjectsOf("empty", place))
  if (withStory) for (const language of wantedLanguages) await takeStory(language)
  const examples = await demoData({ place, userIds, webhook, mailServer })
  await takeAll(subjectsOf("data", place, examples))
} finally {
  writeFileSync(join(folder, "index.html"), contactSheet(files.toSorted()))
  process.stderr.write("\n")
  await browser.close()
  await place.stop()
  await mailServer?.stop()
  await sink.stop()
}
process.stdout.write(`${files.length} pictures: ${join(folder, "index.html")}\n`)
