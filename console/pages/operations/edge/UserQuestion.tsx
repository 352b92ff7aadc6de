import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx"
import { told } from "../Refusals.ts"
import type { EdgeUser } from "./Words.ts"

/** An action on a user that is asked about first. */
export interface Asked {
  readonly user: EdgeUser
  readonly what: "block" | "factor" | "password" | "remove" | "signOut"
}

export const questionWords = words({
  en: {
    block: "Block",
    factor: "Remove the second factor",
    password: "Reset the password",
    remove: "Delete",
    signOut: "Sign out everywhere"
  },
  de: {
    block: "Sperren",
    factor: "Zweiten Faktor entfernen",
    password: "Passwort zurücksetzen",
    remove: "Löschen",
    signOut: "Überall abmelden"
  }
})

const titles = words({
  en: {
    block: (name: string) => `Block ${name}`,
    factor: (name: string) => `Remove the second factor of ${name}`,
    password: (name: string) => `Reset the password of ${name}`,
    remove: (name: string) => `Delete ${name}`,
    signOut: (name: string) => `Sign ${name} out everywhere`
  },
  de: {
    block: (name: string) => `${name} sperren`,
    factor: (name: string) => `Zweiten Faktor von ${name} entfernen`,
    password: (name: string) => `Passwort von ${name} zurücksetzen`,
    remove: (name: string) => `${name} löschen`,
    signOut: (name: string) => `${name} überall abmelden`
  }
})

const losses = words({
  en: {
    block: "The user is signed out everywhere within a second, and cannot sign in. You can unblock the user later.",
    factor: "The password alone signs the user in, until the user sets up a second factor again.",
    password: "The old password stops working and the user is signed out everywhere. The new one is shown once.",
    remove: "Account, second factor and sessions are deleted, and cannot be brought back. The audit log stays.",
    signOut: "All sessions of the user end within a second. The user can sign in again."
  },
  de: {
    block:
      "Der Benutzer wird binnen einer Sekunde überall abgemeldet und kann sich nicht anmelden. Sie können ihn später " +
      "entsperren.",
    factor: "Das Passwort allein genügt zur Anmeldung, bis der Benutzer wieder einen zweiten Faktor einrichtet.",
    password: "Das alte Passwort gilt nicht mehr, und der Benutzer wird überall abgemeldet. Das neue sehen Sie einmal.",
    remove:
      "Konto, zweiter Faktor und Sitzungen werden gelöscht und lassen sich nicht zurückholen. Das Protokoll bleibt.",
    signOut: "Alle Sitzungen des Benutzers enden binnen einer Sekunde. Er kann sich wieder anmelden."
  }
})

interface Props {
  readonly asked: Asked
  /** Blocks the user. */
  readonly block: (user: EdgeUser) => Promise<unknown>
  /** After the action; with the new password, if there is one. */
  readonly done: (password?: string) => void
  readonly close: () => void
}

/** Asks before an action on a user, and says what will be lost. */
export const Question = ({ asked: { user, what }, block, close, done }: Props) => {
  const params = { id: user.id }
  const work = async () => {
    switch (what) {
      case "block":
        await block(user)
        return done()
      case "factor":
        await call("DELETE /api/v1/edge/users/:id/second-factor", { params })
        return done()
      case "password":
        return done((await call("POST /api/v1/edge/users/:id/password", { params })).password)
      case "remove":
        await call("DELETE /api/v1/edge/users/:id", { params })
        return done()
      case "signOut":
        await call("POST /api/v1/edge/users/:id/sign-out", { params })
        return done()
    }
  }
  return (
    <ConfirmDialog
      title={titles()[what](user.name)}
      action={questionWords()[what]}
      told={told}
      work={work}
      close={close}
    >
      <p>{losses()[what]}</p>
    </ConfirmDialog>
  )
}
