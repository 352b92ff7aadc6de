import { words } from "../lib/Language.ts"
import { me } from "../lib/Me.ts"

export const authorWords = words({
  en: {
    you: "you",
    user: (id: string) => `user ${id}`,
    service: (id: string) => `service token ${id}`,
    operator: "the command line",
    system: "Signalbox"
  },
  de: {
    you: "Ihnen",
    user: (id: string) => `Benutzer ${id}`,
    service: (id: string) => `Dienst-Token ${id}`,
    operator: "der Kommandozeile",
    system: "Signalbox"
  }
})

/** Who did something, for "by …": from the texts of answers such as `user:7`, `service:1` and `operator`. */
export const authorTitle = (by: string): string => {
  const t = authorWords()
  const [kind, id = ""] = by.split(":", 2)
  switch (kind) {
    case "user":
      return Number(id) === me.value?.id ? t.you : t.user(id)
    case "service":
      return t.service(id)
    case "operator":
    case "system":
      return t[kind]
    default:
      return by
  }
}
