/**
 * Headers as common mail servers write them, from their public documentation and RFC 8601 appendix B. Names and
 * addresses are replaced by example ones. `expected`: the text form of the test.
 */
export const samples: ReadonlyArray<{ readonly of: string; readonly header: string; readonly expected: string }> = [
  { of: "RFC 8601 B.2: nothing was checked", header: "example.org 1; none", expected: "example.org: " },
  {
    of: "RFC 8601 B.4: several methods",
    header:
      "example.com;\r\n auth=pass (cram-md5) smtp.auth=sender@example.net;\r\n spf=pass smtp.mailfrom=example.net",
    expected: "example.com: auth=pass smtp.auth=sender@example.net; spf=pass smtp.mailfrom=example.net"
  },
  {
    of: "RFC 8601 B.7: comments everywhere",
    header:
      "foo.example.net (foobar) 1 (baz);\r\n dkim (Because I like it) / 1 (One yay) = (wait for it) fail\r\n" +
      " policy (A dot can go here) . (like that) expired\r\n (this surprised me) = (as I wasn't expecting it) 1362471462",
    expected: "foo.example.net: dkim=fail policy.expired=1362471462"
  },
  {
    of: "OpenDKIM",
    header:
      "mx.example.org;\r\n\tdkim=pass (2048-bit key; secure) header.d=example.com header.i=@example.com header.a=rsa-sha256 header.s=mail header.b=aB3/xY+z;\r\n\tdkim-atps=neutral",
    expected:
      "mx.example.org: dkim=pass header.d=example.com header.i=@example.com header.a=rsa-sha256 header.s=mail header.b=aB3/xY+z; dkim-atps=neutral"
  },
  {
    of: "OpenDKIM, key not to be had",
    header:
      'mx.example.org; dkim=fail reason="signature verification failed" (1024-bit key; unprotected) header.d=example.com header.i=@example.com header.b="Qw/e12=="',
    expected:
      "mx.example.org: dkim=fail reason=[signature verification failed] header.d=example.com header.i=@example.com header.b=Qw/e12=="
  },
  {
    of: "OpenDMARC",
    header: "mx.example.org; dmarc=pass (p=reject dis=none) header.from=example.com",
    expected: "mx.example.org: dmarc=pass header.from=example.com"
  },
  {
    of: "rspamd",
    header:
      "mx.example.org;\r\n\tdkim=pass header.d=example.com header.s=mail header.b=aBcDeF01;\r\n\tspf=pass (mx.example.org: domain of device@example.com designates 192.0.2.1 as permitted sender) smtp.mailfrom=device@example.com;\r\n\tdmarc=pass (policy=quarantine) header.from=example.com",
    expected:
      "mx.example.org: dkim=pass header.d=example.com header.s=mail header.b=aBcDeF01; spf=pass smtp.mailfrom=device@example.com; dmarc=pass header.from=example.com"
  },
  {
    of: "a large public mailbox provider",
    header:
      'mx.example.net;\r\n       dkim=pass header.i=@example.com header.s=20230601 header.b="Ab/Cd+12";\r\n       spf=pass (example.net: domain of device@example.com designates 2001:db8::1 as permitted sender) smtp.mailfrom=device@example.com;\r\n       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.com',
    expected:
      "mx.example.net: dkim=pass header.i=@example.com header.s=20230601 header.b=Ab/Cd+12; spf=pass smtp.mailfrom=device@example.com; dmarc=pass header.from=example.com"
  },
  {
    of: "Authentication Milter, with words that are no properties",
    header:
      "mx.example.net;\r\n arc=none (no signatures found);\r\n dkim=pass (2048-bit rsa key sha256) header.d=example.com header.i=@example.com header.b=x/y+z= header.a=rsa-sha256 header.s=fm1 x-bits=2048;\r\n dmarc=pass policy.published-domain-policy=none policy.applied-disposition=none (p=none,d=none,d.eval=none) policy.policy-from=p header.from=example.com;\r\n iprev=pass smtp.remote-ip=192.0.2.1 (out.example.com);\r\n spf=pass smtp.mailfrom=device@example.com smtp.helo=out.example.com",
    expected:
      "mx.example.net: arc=none; dkim=pass header.d=example.com header.i=@example.com header.b=x/y+z= header.a=rsa-sha256 header.s=fm1; dmarc=pass policy.published-domain-policy=none policy.applied-disposition=none policy.policy-from=p header.from=example.com; iprev=pass smtp.remote-ip=192.0.2.1; spf=pass smtp.mailfrom=device@example.com smtp.helo=out.example.com"
  },
  {
    of: "pypolicyd-spf",
    header:
      "mx.example.org; spf=pass (sender SPF authorized) smtp.mailfrom=example.com (client-ip=192.0.2.1; helo=out.example.com; envelope-from=device@example.com; receiver=<UNKNOWN>)",
    expected: "mx.example.org: spf=pass smtp.mailfrom=example.com"
  },
  {
    of: "a large hosted office mail, which names no server: of nobody",
    header:
      "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.com; dkim=pass (signature was verified) header.d=example.com;dmarc=pass action=none header.from=example.com;compauth=pass reason=100",
    expected: "Malformed"
  }
]
