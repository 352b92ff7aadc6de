/** The table of all settings, as Markdown: where each lives, and what locks it. docs/settings.md contains it. Pure. */
import type { Setting } from "../config/Settings.ts"
import type { Daemon } from "../daemon/Daemon.ts"
import { isStored } from "../settings/StoredSetting.ts"
import { catalogue } from "./SettingsCatalogue.ts"

const intro = `# Settings

Where every setting lives. \`bin/signalbox settings table\` prints this file; a test compares both.

A setting of the **environment** holds from the start of a process: from the variable, and for a secret also from the
file that \`<NAME>_FILE\` names or from a systemd credential with the name in lower case.

A setting of the **database** is changed in the console (Operations, Installation), with \`signalbox settings\` or over
the API, and holds in all processes within a second. The same sources of the environment set it too: they win, and lock
the setting in that process. Set a variable for all daemons, or for none, because a process sees only its own
environment. Secrets are stored as envelopes; \`settings export\` prints them only with \`--secrets\`.

Only users of the provider's tenant with the permission \`settings.manage\`, and platform tokens, read and change them.
A test (\`signalbox settings test\`, the button in the console) runs in the process of identity, or in that of the
command.
`

/** Text of a cell. */
const cell = (text: string): string => text.replace(/\|/g, "\\|").replace(/\n/g, " ")

const row = (setting: Setting<unknown>): string => {
  const lives = isStored(setting) ? `database (${setting.shown.group})` : "environment"
  const locks = !isStored(setting) ? "" : setting.secret ? "variable, file, credential" : "variable"
  const shown = setting.fallback === undefined ? "required" : setting.fallback.shown
  return `| \`${setting.name}\` | ${lives} | ${locks} | ${setting.secret ? "yes" : ""} | ${cell(shown)} |`
}

export const settingsTable = (daemons: ReadonlyArray<Daemon>): string =>
  [
    intro,
    ...catalogue(daemons)
      .filter(({ settings }) => settings.length > 0)
      .flatMap(({ settings, title }) => [
        `## ${title}`,
        "",
        "| setting | lives in | locked by | secret | default |",
        "| --- | --- | --- | --- | --- |",
        ...settings.map(row),
        ""
      ])
  ].join("\n")
