import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { type RowAction, RowMenu } from "../../../parts/RowMenu.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { At } from "../../../parts/When.tsx"
import { type Asked, questionWords } from "./UserQuestion.tsx"
import { edgeWords, type EdgeUser, userTone } from "./Words.ts"

const t = words({
  en: {
    name: "Name",
    factor: "Second factor",
    lastSignIn: "Last sign-in",
    never: "never",
    approve: "Approve",
    unblock: "Unblock",
    makeAdmin: "Make administrator",
    makeUser: "Make regular user"
  },
  de: {
    name: "Name",
    factor: "Zweiter Faktor",
    lastSignIn: "Letzte Anmeldung",
    never: "nie",
    approve: "Freigeben",
    unblock: "Entsperren",
    makeAdmin: "Zum Administrator machen",
    makeUser: "Zum normalen Benutzer machen"
  }
})

interface Change {
  readonly status?: "active" | "blocked"
  readonly role?: "user" | "admin"
}

interface Props {
  readonly of: ReadonlyArray<EdgeUser>
  readonly manages: boolean
  readonly ask: (asked: Asked) => void
  readonly change: (user: EdgeUser, change: Change) => void
}

/** Table of users of edge-auth with their actions. */
export const UserRows = ({ ask, change, manages, of }: Props) => (
  <RowTable
    labelledBy="edge-users"
    rows={of}
    keyOf={({ id }) => id}
    columns={[
      {
        title: t().name,
        show: ({ email, name }) => (
          <>
            {name}
            <small>{email}</small>
          </>
        )
      },
      { title: edgeWords().state, show: ({ status }) => <Badge tone={userTone(status)}>{edgeWords()[status]}</Badge> },
      { title: edgeWords().role, show: ({ role }) => edgeWords()[role] },
      { title: t().factor, show: ({ second_factor }) => (second_factor ? edgeWords().on : edgeWords().off) },
      {
        title: t().lastSignIn,
        show: ({ last_sign_in_at }) => (last_sign_in_at === null ? t().never : <At at={last_sign_in_at} />)
      }
    ]}
    actions={manages ? (user) => <RowMenu of={user.name} actions={actionsOf(user, ask, change)} /> : undefined}
  />
)

const actionsOf = (user: EdgeUser, ask: Props["ask"], change: Props["change"]): ReadonlyArray<RowAction> => {
  const w = questionWords()
  const asking = (what: Asked["what"], text: string, danger = false): RowAction => ({
    text,
    danger,
    act: () => ask({ user, what })
  })
  return [
    user.status === "active"
      ? asking("block", w.block)
      : { text: user.status === "pending" ? t().approve : t().unblock, act: () => change(user, { status: "active" }) },
    user.role === "user"
      ? { text: t().makeAdmin, act: () => change(user, { role: "admin" }) }
      : { text: t().makeUser, act: () => change(user, { role: "user" }) },
    asking("password", w.password),
    asking("signOut", w.signOut),
    ...(user.second_factor ? [asking("factor", w.factor)] : []),
    asking("remove", w.remove, true)
  ]
}
