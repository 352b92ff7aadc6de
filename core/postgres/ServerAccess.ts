/**
 * Access rules of the embedded server. The suite connects without password, authenticated by the socket peer; the mail
 * server connects with a password. Pure. Source: Postgres manual, chapter "Client Authentication".
 */

/** Login role of the suite. Not a superuser; bound by row-level security. */
export const ownerRole = "signalbox"
/** Role that a request assumes to access the rows of one tenant; cannot log in. */
export const tenantRole = "signalbox_tenant"
/** Superuser of the cluster; only creates roles and databases. */
export const superuserRole = "postgres"

/** Role of the mail server's programs, which run as other system users. It may read only the views made for it. */
export const mailServerRole = "signalbox_mail"

/**
 * Connection limit of all mail programs together. Reason: Dovecot opens a few, and each proxymap process of Postfix
 * opens one per map.
 */
export const mailServerConnections = 50

const mapName = "signalbox"

/**
 * Content of pg_hba.conf: local sockets only. Two roles use `peer` with the map below, the mail server uses a password
 * and only our database; everything else is refused.
 */
export const hbaFile = (database: string) =>
  `# Written at each start; changes are lost.\nlocal all ${ownerRole},${superuserRole} peer map=${mapName}\n` +
  `local ${database} ${mailServerRole} scram-sha-256\n`

/** Content of pg_ident.conf: the given system users may log in as either role. */
export const identFile = (systemUsers: ReadonlyArray<string>): string =>
  "# Written at each start; changes are lost.\n" +
  [...new Set(systemUsers)]
    .flatMap((user) => [ownerRole, superuserRole].map((role) => `${mapName} "${user.replaceAll('"', '""')}" ${role}\n`))
    .join("")
