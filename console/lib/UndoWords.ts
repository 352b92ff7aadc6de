/** Texts that say what was done, for the notice that offers its undo. */
import { words } from "./Language.ts"

const t = words({
  en: {
    on: (name: string) => `${name} is on.`,
    off: (name: string) => `${name} is off.`,
    changed: (name: string) => `Changed: ${name}.`,
    removed: (name: string) => `${name} is deleted.`,
    ended: (name: string) => `${name} has ended.`,
    standard: (name: string) => `${name} is the default now.`
  },
  de: {
    on: (name: string) => `${name} ist eingeschaltet.`,
    off: (name: string) => `${name} ist ausgeschaltet.`,
    changed: (name: string) => `Geändert: ${name}.`,
    removed: (name: string) => `${name} ist gelöscht.`,
    ended: (name: string) => `${name} ist beendet.`,
    standard: (name: string) => `${name} ist jetzt der Standard.`
  }
})

export const undoWords = t
