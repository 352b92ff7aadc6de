/** Findings in English. */
import type { Dictionary } from "./Dictionary.ts"

const ask = "Please contact the company that runs your DNS and tell them this."

export const english: Dictionary = {
  platform_unset: ({ name }) => ({
    says: `Our own address is not set up yet, so that ${name} cannot be checked.`,
    todo: "There is nothing to do at your DNS provider until we show you the records."
  }),
  points_here: ({ name }) => ({ says: `${name} leads to us.`, todo: "" }),
  points_elsewhere: ({ list, name }) => ({
    says: `${name} leads to another server: ${list("found")}.`,
    todo:
      "At your DNS provider, replace the A record with the address that we show you. If the name is " +
      "meant to lead elsewhere, there is nothing to do."
  }),
  extra_addresses: ({ list, name }) => ({
    says: `${name} leads to us, and at the same time to ${list("found")}: some of your visitors end up there.`,
    todo: "Delete the other A records at your DNS provider, so that ours is the only one."
  }),
  no_address: ({ name }) => ({
    says: `${name} exists, but has no A record, so that visitors find no server.`,
    todo: "Add the A record that we show you at your DNS provider."
  }),
  nxdomain: ({ name }) => ({
    says: `The DNS of the domain does not know the name ${name}.`,
    todo: "Add the A record that we show you at your DNS provider, and check that the domain is set up there."
  }),
  no_delegation: ({ name }) => ({
    says: `${name} is not registered, or its registration has run out: the registry names no name servers for it.`,
    todo: "Check at the company where you registered the domain whether it still is yours and paid for, and renew it."
  }),
  authorities_disagree: ({ has, list, name }) => ({
    says:
      `The name servers of ${name} contradict each other: ` +
      `${has("here") ? `${list("here")} lead to us, ` : ""}` +
      `${has("elsewhere") ? `${list("elsewhere")} lead elsewhere` : "others lead elsewhere"}.`,
    todo:
      `After a change this takes some minutes, and then there is nothing to do. If it lasts longer ` +
      `than a few hours, one of the servers does not receive changes. ${ask}`
  }),
  not_visible_yet: ({ name }) => ({
    says:
      `Your change of ${name} is published, but not yet visible everywhere: resolvers keep the old ` +
      `answer for a while.`,
    todo: "Wait: usually an hour, at most a day."
  }),
  lame_delegation: ({ list, name, partly }) => ({
    says: partly
      ? `The name server ${list("servers")} is named for ${name}, but does not know the domain.`
      : `None of the name servers named for ${name} knows the domain (${list("servers")}), so that it cannot be found.`,
    todo:
      "Either set up the domain at these name servers, or enter those name servers at your registrar " +
      "that do know it."
  }),
  name_servers_silent: ({ list, name, partly }) => ({
    says: partly
      ? `The name server ${list("servers")} of ${name} does not answer; others do.`
      : `No name server of ${name} answers (${list("servers")}).`,
    todo: partly
      ? `Visitors sometimes wait longer. If it lasts, ${lower(ask)}`
      : `This is often over within an hour. If it lasts, ${lower(ask)}`
  }),
  server_failure: ({ has, list, name, partly }) => ({
    says: partly
      ? `The name server ${list("servers")} answers queries for ${name} with an error; others answer correctly.`
      : `Queries for ${name} are answered with an error${has("servers") ? ` (${list("servers")})` : ""}.`,
    todo: ask
  }),
  private_name_servers: ({ list, name, partly }) => ({
    says:
      `The name servers ${list("servers")} of ${name} have addresses of a private network, which ` +
      `the internet cannot reach${partly ? "; others can be reached" : ""}.`,
    todo: "At your registrar, enter name servers with public addresses."
  }),
  name_servers_unknown: ({ list, name, partly }) => ({
    says:
      `No address can be found for the name servers ${list("servers")} of ` +
      `${name}${partly ? "; others are reachable" : ", so that they cannot be queried"}.`,
    todo:
      "Check the names of the name servers at your registrar for spelling mistakes, and whether their " +
      "own domain still exists."
  }),
  resolvers_silent: () => ({
    says: "We cannot query DNS at the moment. The problem is on our side and says nothing about your domain.",
    todo: "We try again automatically."
  }),
  dnssec_bogus: ({ name }) => ({
    says:
      `The signature (DNSSEC) of ${name} is not valid. Many providers therefore treat the domain as ` +
      `forged, and their customers cannot reach it.`,
    todo:
      "This usually happens after a change of the DNS provider: have the old DS record removed or " +
      "renewed at your registrar."
  }),
  cname_loop: ({ has, list, name }) => ({
    says: `${name} refers to itself in a circle${has("chain") ? ` (${list("chain")})` : ""} and so leads nowhere.`,
    todo: "Delete one of these CNAME records at your DNS provider, and add the A record that we show you."
  }),
  mixed_providers: ({ list, name }) => ({
    says:
      `${name} has name servers of different providers: ${list("servers")}. Changes at one of them do ` +
      `not reach the others.`,
    todo: "At your registrar, enter only the name servers of the provider at which you keep your records."
  }),
  ipv6_missing: ({ list, name }) => ({
    says: `${name} has no AAAA record: visitors reach us by IPv4 only.`,
    todo: `Add the AAAA record ${list("wanted")} at your DNS provider.`
  }),
  ipv6_elsewhere: ({ has, list, name }) => ({
    says: `By IPv6, ${name} leads to another server: ${list("found")}. Visitors with IPv6 end up there.`,
    todo: has("wanted")
      ? `Replace the AAAA record with ${list("wanted")} at your DNS provider.`
      : "Delete the AAAA record at your DNS provider."
  }),
  www_missing: ({ list, name }) => ({
    says: `${name} does not exist: visitors who type the address with www find nothing.`,
    todo: `Add the A record ${list("wanted")} for www at your DNS provider.`
  }),
  www_elsewhere: ({ list, name }) => ({
    says: `${name} leads to another server: ${list("found")}.`,
    todo: `Replace it with the A record ${list("wanted")} at your DNS provider.`
  }),
  record_missing: ({ list, name, type }) => ({
    says: `The ${type} record of ${name} is missing.`,
    todo: `Add it at your DNS provider with this content: ${list("wanted")}`
  }),
  record_wrong: ({ list, name, type }) => ({
    says: `The ${type} record of ${name} has another content: ${list("found")}`,
    todo: `It should be: ${list("wanted")}`
  }),
  mixed_scripts: ({ list }) => ({
    says:
      `The name mixes letters of different scripts (${list("labels")}), and could be taken for ` +
      `another name that looks the same.`,
    todo: "Check that this is the intended name."
  })
}

const lower = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
