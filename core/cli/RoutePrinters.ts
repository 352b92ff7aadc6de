/** Output formats of `signalbox routes`, by flag. */
import { caddy } from "../gateway/Caddy.ts"
import { nginx } from "../gateway/Nginx.ts"
import { json, rows, type TableRow, text } from "../gateway/RouteTable.ts"
import { traefik } from "../gateway/Traefik.ts"

export { rows, text }

type Printer = (
  table: ReadonlyArray<TableRow>,
  options: { readonly rate: number; readonly burst: number; readonly gatewayPort: number }
) => string

export const printers: Readonly<Record<"nginx" | "caddy" | "traefik" | "json", Printer>> = {
  nginx,
  caddy,
  traefik,
  json
}
