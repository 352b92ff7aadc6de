/** Titles of the steps of the set-up list, and why one wants each. */
import { testAlarmStep } from "#core/setup/SetupSteps.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"

const words = shippedTexts("identity.setup", {
  en: {
    [testAlarmStep]: {
      title: "Send a test alarm",
      why: "Shows within a minute that alarms are taken, delivered and shown. Needs no other setting."
    },
    account: { title: "Protect your account", why: "With a second factor a stolen password alone opens nothing." },
    address: {
      title: "Public address",
      why: "Links in mails, messages and authenticator apps need the address that people see."
    },
    alarms: {
      title: "Who may raise alarms",
      why: "Until an address or a domain is allowed, every alarm mail is refused."
    },
    messenger: { title: "Messenger", why: "Alarms, notifications and sign-in codes reach people in a chat." },
    relay: {
      title: "Mails of the installation",
      why: "Users get notifications by mail, and operators a mail when the alarm path itself is broken."
    },
    switch: {
      title: "Telephone switch",
      why: "Alarms call people, who acknowledge with a key, and calls are recorded in the call list."
    },
    mail: {
      title: "Mail server",
      why: "Mail domains wait for the name and the address of the mail server, which their DNS records need."
    },
    speech: { title: "Speech", why: "A speech gateway has better voices than espeak-ng, which speaks without one." },
    resolvers: {
      title: "DNS resolvers",
      why: "Checks of domains show the public view only with resolvers outside the own network."
    },
    branding: { title: "Name and look", why: "People recognise pages and mails by your name and logo." }
  },
  de: {
    [testAlarmStep]: {
      title: "Testalarm senden",
      why: "Zeigt in einer Minute, dass Alarme angenommen, zugestellt und angezeigt werden. Braucht keine Einstellung."
    },
    account: {
      title: "Ihr Konto schützen",
      why: "Mit einem zweiten Faktor öffnet ein gestohlenes Passwort allein nichts."
    },
    address: {
      title: "Öffentliche Adresse",
      why: "Links in Mails, Nachrichten und Authenticator-Apps brauchen die Adresse, die Menschen sehen."
    },
    alarms: {
      title: "Wer Alarme auslösen darf",
      why: "Solange keine Adresse und keine Domain erlaubt ist, wird jede Alarm-Mail abgewiesen."
    },
    messenger: { title: "Messenger", why: "Alarme, Mitteilungen und Anmeldecodes erreichen Menschen in einem Chat." },
    relay: {
      title: "Mails der Installation",
      why: "Benutzer bekommen Mitteilungen per Mail; Betreiber bekommen eine Mail, wenn der Alarmweg gestört ist."
    },
    switch: {
      title: "Telefonanlage",
      why: "Alarme rufen Menschen an, die mit einer Taste quittieren, und Anrufe stehen in der Anrufliste."
    },
    mail: {
      title: "Mail-Server",
      why: "Mail-Domains warten auf Name und Adresse des Mail-Servers, die ihre DNS-Einträge brauchen."
    },
    speech: {
      title: "Sprache",
      why: "Ein Sprach-Gateway hat bessere Stimmen als espeak-ng, das ohne Gateway spricht."
    },
    resolvers: {
      title: "DNS-Resolver",
      why: "Prüfungen von Domains zeigen die öffentliche Sicht nur mit Resolvern außerhalb des eigenen Netzes."
    },
    branding: { title: "Name und Aussehen", why: "Menschen erkennen Seiten und Mails an Ihrem Namen und Logo." }
  }
})

export type StepName = keyof ReturnType<typeof words>

/** Texts of a step, by the code of each offered language. */
export const textsOf = (name: StepName) => ({
  title: inEveryLanguage((language) => words(language)[name].title),
  /** Why one wants it. */
  why: inEveryLanguage((language) => words(language)[name].why)
})
