/** The lists behind the outbound address rules (operations.md section 9.3). Data only. */

/** Ranges that need trust. Addresses inside these are private, reserved or meaningless on the public internet. */
export const internalRanges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/128",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
  "2001::/32",
  "2001:db8::/32",
  "100::/64",
  "100:0:0:1::/64",
  // Translated to IPv4 by the network itself, whichever way it likes (RFC 8215).
  "64:ff9b:1::/48",
] as const;

/** Ranges no trust opens: cloud metadata services. */
export const forbiddenRanges = [
  "169.254.169.0/24",
  "169.254.170.2/32",
  "169.254.170.23/32",
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "fd00:ec2::/96",
] as const;

/** IPv6 ranges whose last four bytes (or, for 6to4, bytes 2 to 5) are an IPv4 address that is judged instead. */
export const embeddingRanges = [
  { range: "::ffff:0:0/96", at: 12 },
  // Of translators without state (RFC 2765).
  { range: "::ffff:0:0:0/96", at: 12 },
  { range: "64:ff9b::/96", at: 12 },
  { range: "::/96", at: 12 },
  { range: "2002::/16", at: 2 },
] as const;

export const forbiddenNames = ["metadata", "instance-data", "kubernetes"] as const;

/** Forbidden with everything below them, trusted or not. */
export const forbiddenSuffixes = [
  "metadata.google.internal",
  "metadata.gce.internal",
  "metadata.goog",
  "metadata.azure.com",
  "internal.cloudapp.net",
  "metadata.internal",
  "metadata.do.internal",
  "metadata.packet.net",
  "instance-data.ec2.internal",
  "ec2.internal",
  "compute.internal",
  "metadata.cloud.ibm.com",
  "kubernetes.default",
  "kubernetes.default.svc",
  "cluster.local",
  "consul",
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "traefik.me",
  "localhost.run",
] as const;

/** Names that exist only inside networks: they need trust. */
export const internalSuffixes = [
  "local",
  "localdomain",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "test",
  "invalid",
  "onion",
  "localhost",
] as const;

/** Ports of services that are never a model provider, refused even on trusted hosts. */
export const forbiddenPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526,
  530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1434, 1521, 1723, 2049, 2181,
  2375, 2376, 2379, 2380, 3268, 3269, 3306, 3389, 4369, 5432, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6379, 6380,
  6443, 6667, 8500, 9042, 9092, 9160, 9200, 9300, 10250, 10255, 10256, 11211, 15672, 16379, 26379, 27017, 27018, 27019,
]);
