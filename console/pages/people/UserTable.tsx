import type { ComponentChildren } from "preact"
import { Badge } from "../../parts/Badge.tsx"
import { RowMenu } from "../../parts/RowMenu.tsx"
import { At } from "../../parts/When.tsx"
import type { UserActions } from "./UserActions.tsx"
import { roleTitle, shared, type User } from "./Words.ts"

/** Whether the user can sign in. */
export const StateBadge = ({ state }: { readonly state: User["state"] }) => (
  <Badge tone={state === "active" ? "success" : "warning"}>{shared()[state]}</Badge>
)

/** Address of the page of a user. `tenant`: id of another tenant. */
export const userHref = (id: number | string, tenant: string | undefined): string =>
  `/console/users/${id}${tenant === undefined ? "" : `?tenant=${tenant}`}`

/** Users as a table. `labelledBy`: id of its heading. */
export const UserTable = ({
  actions,
  empty,
  labelledBy,
  tenant,
  users
}: {
  readonly users: ReadonlyArray<User>
  readonly tenant: string | undefined
  readonly actions: UserActions
  readonly empty: ComponentChildren
  readonly labelledBy: string
}) =>
  users.length === 0 ? (
    <>{empty}</>
  ) : (
    <div class="scroll" tabIndex={0} role="region" aria-labelledby={labelledBy}>
      <table>
        <thead>
          <tr>
            <th scope="col">{shared().name}</th>
            <th scope="col">{shared().email}</th>
            <th scope="col">{shared().role}</th>
            <th scope="col">{shared().state}</th>
            <th scope="col">{shared().lastSignIn}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <th scope="row">
                <a href={userHref(user.id, tenant)}>{user.name}</a>
              </th>
              <td>{user.email}</td>
              <td>{roleTitle(user.role)}</td>
              <td>
                <StateBadge state={user.state} />
              </td>
              <td>{user.last_login_at === null ? shared().never : <At at={user.last_login_at} />}</td>
              <td class="number">
                <RowMenu of={user.name} actions={actions.of(user)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
