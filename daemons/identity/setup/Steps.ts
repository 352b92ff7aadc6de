/** The set-up list: what a new installation needs, why one wants it, and what is done. Pure. */
import { type StepMark, testAlarmStep } from "#core/setup/SetupSteps.ts"
import type { Group } from "#core/settings/StoredSetting.ts"
import { type StepName, textsOf } from "./StepTexts.ts"

export interface Step {
  readonly name: StepName
  /** Alternatives: the step is done when all settings of one of them have a value. */
  readonly needs: ReadonlyArray<ReadonlyArray<string>>
  /** Group of the settings, whose form does the step. */
  readonly group?: Group
  /** Page of the console that does the step, for a step without settings. */
  readonly page?: string
  /** Command that does the step. */
  readonly command: string
  /** An installation is complete without it. */
  readonly optional: boolean
}

const set = "signalbox settings set"

/** In the order in which people do them. */
export const steps: ReadonlyArray<Step> = [
  { name: testAlarmStep, needs: [], page: "/alarms", command: "signalbox alarm send --demo", optional: false },
  { name: "account", needs: [], page: "/settings", command: "signalbox user --help", optional: false },
  {
    name: "address",
    needs: [["SIGNALBOX_PUBLIC_URL"]],
    group: "addresses",
    command: `${set} SIGNALBOX_PUBLIC_URL https://box.example.org`,
    optional: false
  },
  {
    name: "alarms",
    needs: [["SIGNALBOX_ALARM_ALLOWED_SENDERS"], ["SIGNALBOX_ALARM_ALLOWED_DOMAINS"]],
    group: "alarms",
    command: `${set} SIGNALBOX_ALARM_ALLOWED_DOMAINS example.org`,
    optional: false
  },
  {
    name: "messenger",
    needs: [["SIGNALBOX_MESSENGER_TOKEN"]],
    group: "messenger",
    command: `${set} SIGNALBOX_MESSENGER_TOKEN TOKEN`,
    optional: false
  },
  {
    name: "relay",
    needs: [
      ["SIGNALBOX_ADMIN_EMAIL", "SIGNALBOX_NOTICE_SMTP_URL"],
      ["SIGNALBOX_ADMIN_EMAIL", "SIGNALBOX_NOTIFY_SMTP_URL"]
    ],
    group: "relay",
    command: `${set} SIGNALBOX_NOTICE_SMTP_URL smtps://user:password@mail.example.org`,
    optional: false
  },
  {
    name: "switch",
    needs: [["SIGNALBOX_SWITCH_HOST", "SIGNALBOX_SWITCH_PASSWORD"]],
    group: "switch",
    command: `${set} SIGNALBOX_SWITCH_HOST 127.0.0.1`,
    optional: true
  },
  {
    name: "mail",
    needs: [["SIGNALBOX_MAIL_HOST", "SIGNALBOX_PLATFORM_IPV4"]],
    group: "mail",
    command: `${set} SIGNALBOX_MAIL_HOST mail.example.org`,
    optional: true
  },
  {
    name: "speech",
    needs: [["SIGNALBOX_TTS_URL"]],
    group: "speech",
    command: `${set} SIGNALBOX_TTS_URL http://127.0.0.1:8200`,
    optional: true
  },
  {
    name: "resolvers",
    needs: [["SIGNALBOX_RESOLVERS"]],
    group: "resolvers",
    command: `${set} SIGNALBOX_RESOLVERS 192.0.2.53`,
    optional: true
  },
  {
    name: "branding",
    needs: [["SIGNALBOX_BRAND_NAME"]],
    group: "branding",
    command: `${set} SIGNALBOX_BRAND_NAME "Example"`,
    optional: true
  }
]

export type StepState = "done" | "open" | "skipped"

export interface StepView extends Step, ReturnType<typeof textsOf> {
  readonly state: StepState
}

/** What is known about an installation. */
export interface Known {
  /** Names of the settings that have a value of the environment or of the database. */
  readonly given: ReadonlySet<string>
  readonly marks: ReadonlyMap<string, StepMark>
  /** Whether the asking person has a second factor; undefined for callers without an account. */
  readonly protectedAccount: boolean | undefined
}

/** The list with the state of each step. A step is left out where it makes no sense for the caller. */
export const listOf = ({ given, marks, protectedAccount }: Known): ReadonlyArray<StepView> =>
  steps.flatMap((step) => {
    if (step.name === "account" && protectedAccount === undefined) return []
    const isDone =
      step.name === "account"
        ? protectedAccount === true
        : step.needs.some((all) => all.every((name) => given.has(name))) || marks.get(step.name)?.state === "done"
    const isSkipped = marks.get(step.name)?.state === "skipped"
    return [{ ...step, ...textsOf(step.name), state: isDone ? "done" : isSkipped ? "skipped" : "open" }]
  })
