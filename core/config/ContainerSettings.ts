/** Settings of the container engine on this host, for the daemons that ask it. */
import * as Settings from "./Settings.ts"

export const containerSettings = {
  containerSocket: Settings.text("SIGNALBOX_CONTAINER_SOCKET", {
    doc: "Socket of a Docker-compatible engine, asked for the health of containers",
    default: "/var/run/docker.sock"
  })
}
