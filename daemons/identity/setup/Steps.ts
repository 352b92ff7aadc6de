/** The set-up list: what a new installation needs, why one wants it, and what is done. Pure. */
import { type StepMark, testAlarmStep } from "#core/setup/SetupSteps.ts"
import type { Group } from "#core/settings/StoredSetting.ts"
import type { Catalogue } from "#core/words/Language.ts"

export interface Step {
  readonly name: string
  readonly title: Catalogue<string>
  /** Why one wants it. */
  readonly why: Catalogue<string>
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
  {
    name: testAlarmStep,
    title: { en: "Send a test alarm", de: "Testalarm senden" },
    why: {
      en: "Shows within a minute that alarms are taken, delivered and shown. Needs no other setting.",
      de: "Zeigt in einer Minute, dass Alarme angenommen, zugestellt und angezeigt werden. Braucht keine Einstellung."
    },
    needs: [],
    page: "/alarms",
    command: "signalbox alarm send --demo",
    optional: false
  },
  {
    name: "account",
    title: { en: "Protect your account", de: "Ihr Konto schützen" },
    why: {
      en: "With a second factor a stolen password alone opens nothing.",
      de: "Mit einem zweiten Faktor öffnet ein gestohlenes Passwort allein nichts."
    },
    needs: [],
    page: "/settings",
    command: "signalbox user --help",
    optional: false
  },
  {
    name: "address",
    title: { en: "Public address", de: "Öffentliche Adresse" },
    why: {
      en: "Links in mails, messages and authenticator apps need the address that people see.",
      de: "Links in Mails, Nachrichten und Authenticator-Apps brauchen die Adresse, die Menschen sehen."
    },
    needs: [["SIGNALBOX_PUBLIC_URL"]],
    group: "addresses",
    command: `${set} SIGNALBOX_PUBLIC_URL https://box.example.org`,
    optional: false
  },
  {
    name: "alarms",
    title: { en: "Who may raise alarms", de: "Wer Alarme auslösen darf" },
    why: {
      en: "Until an address or a domain is allowed, every alarm mail is refused.",
      de: "Solange keine Adresse und keine Domain erlaubt ist, wird jede Alarm-Mail abgewiesen."
    },
    needs: [["SIGNALBOX_ALARM_ALLOWED_SENDERS"], ["SIGNALBOX_ALARM_ALLOWED_DOMAINS"]],
    group: "alarms",
    command: `${set} SIGNALBOX_ALARM_ALLOWED_DOMAINS example.org`,
    optional: false
  },
  {
    name: "messenger",
    title: { en: "Messenger", de: "Messenger" },
    why: {
      en: "Alarms, notifications and sign-in codes reach people in a chat.",
      de: "Alarme, Benachrichtigungen und Anmeldecodes erreichen Menschen in einem Chat."
    },
    needs: [["SIGNALBOX_MESSENGER_TOKEN"]],
    group: "messenger",
    command: `${set} SIGNALBOX_MESSENGER_TOKEN TOKEN`,
    optional: false
  },
  {
    name: "relay",
    title: { en: "Mails of the installation", de: "Mails der Installation" },
    why: {
      en: "Users get notifications by mail, and operators a mail when the alarm path itself is broken.",
      de:
        "Benutzer bekommen Benachrichtigungen per Mail und Betreiber eine Mail, wenn der Alarmweg selbst gestört " +
        "ist."
    },
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
    title: { en: "Telephone switch", de: "Telefonanlage" },
    why: {
      en: "Alarms call people, who acknowledge with a key, and calls are recorded in the call list.",
      de: "Alarme rufen Menschen an, die mit einer Taste quittieren, und Anrufe stehen in der Anrufliste."
    },
    needs: [["SIGNALBOX_SWITCH_HOST", "SIGNALBOX_SWITCH_PASSWORD"]],
    group: "switch",
    command: `${set} SIGNALBOX_SWITCH_HOST 127.0.0.1`,
    optional: true
  },
  {
    name: "mail",
    title: { en: "Mail server", de: "Mail-Server" },
    why: {
      en: "Mail domains wait for the name and the address of the mail server, which their DNS records need.",
      de: "Mail-Domains warten auf Name und Adresse des Mail-Servers, die ihre DNS-Einträge brauchen."
    },
    needs: [["SIGNALBOX_MAIL_HOST", "SIGNALBOX_PLATFORM_IPV4"]],
    group: "mail",
    command: `${set} SIGNALBOX_MAIL_HOST mail.example.org`,
    optional: true
  },
  {
    name: "speech",
    title: { en: "Speech", de: "Sprache" },
    why: {
      en: "A speech gateway has better voices than espeak-ng, which speaks without one.",
      de: "Ein Sprach-Gateway hat bessere Stimmen als espeak-ng, das ohne Gateway spricht."
    },
    needs: [["SIGNALBOX_TTS_URL"]],
    group: "speech",
    command: `${set} SIGNALBOX_TTS_URL http://127.0.0.1:8200`,
    optional: true
  },
  {
    name: "resolvers",
    title: { en: "DNS resolvers", de: "DNS-Resolver" },
    why: {
      en: "Checks of domains show the public view only with resolvers outside the own network.",
      de: "Prüfungen von Domains zeigen die öffentliche Sicht nur mit Resolvern außerhalb des eigenen Netzes."
    },
    needs: [["SIGNALBOX_RESOLVERS"]],
    group: "resolvers",
    command: `${set} SIGNALBOX_RESOLVERS 192.0.2.53`,
    optional: true
  },
  {
    name: "branding",
    title: { en: "Name and look", de: "Name und Aussehen" },
    why: {
      en: "People recognise pages and mails by your name and logo.",
      de: "Menschen erkennen Seiten und Mails an Ihrem Namen und Logo."
    },
    needs: [["SIGNALBOX_BRAND_NAME"]],
    group: "branding",
    command: `${set} SIGNALBOX_BRAND_NAME "Example"`,
    optional: true
  }
]

export type StepState = "done" | "open" | "skipped"

export interface StepView extends Step {
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
    return [{ ...step, state: isDone ? "done" : isSkipped ? "skipped" : "open" }]
  })
