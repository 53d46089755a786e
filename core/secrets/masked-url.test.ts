import { expect, it } from "vitest";
import { maskedUrl } from "./masked-url.ts";

it.each([
  ["https://hooks.slack.com/services/T0AB/B0CD/abcdefghijkl", "https://hooks.slack.com/services/T0*******kl"],
  ["https://HOOKS.slack.com:443/services/T0AB/B0CD/abcdefghijkl", "https://HOOKS.slack.com:443/services/T0*******kl"],
  ["https://discord.com/api/v10/webhooks/123/tokentoken", "https://discord.com/api/v10/webhooks/123/to*******en"],
  ["https://acme.webhook.office.com/webhookb2/a@b/In/c", "https://acme.webhook.office.com/webhookb2/a@*******/c"],
  ["https://hooks.zapier.com/hooks/catch/123456/abcdef/", "https://hooks.zapier.com/hooks/catch/12*******f/"],
  ["https://maker.ifttt.com/trigger/e/with/key/abcdefgh", "https://maker.ifttt.com/trigger/e/with/key/ab*******gh"],
  ["https://api.telegram.org/bot123:abcdefgh/sendMessage", "https://api.telegram.org/bot12*******ge"],
  ["https://user:password@h.example/x", "https://*******:pa*******rd@h.example/x"],
  ["https://a-long-token@h.example", "https://a-*******en@h.example"],
  ["  https://h.example?code=abc", "  https://h.example?code=*******"],
  ["https://u:p@ss@h.example/x", "https://*******:*******@h.example/x"],
  ["https://h.example/x?token=abcdefgh&a=b#c", "https://h.example/x?token=ab*******gh&a=b#c"],
  ["https://h.example?code=abc", "https://h.example?code=*******"],
  [
    "https://h.example?x-api-key=abcdefgh&X-Amz-Signature=0",
    "https://h.example?x-api-key=ab*******gh&X-Amz-Signature=*******",
  ],
  [
    "https://h.example?X-Amz-Credential=ab&api%2Dkey=cd",
    "https://h.example?X-Amz-Credential=*******&api%2Dkey=*******",
  ],
  ["https://h.example?v=2016-06-01&w=a1b2c3d4e5f6a7b8c9d0", "https://h.example?v=2016-06-01&w=a1*******d0"],
])("hides what is secret in %s, and hides nothing twice", (url, shown) => {
  expect(maskedUrl(url)).toBe(shown);
  expect(maskedUrl(shown)).toBe(shown);
});

it.each([
  "https://h.example/services/T0AB/B0CD/abcdefghijkl",
  "https://h.example:8443/v1/?api-version=2024-10-21&empty=&token&token=#f?key=abcdefgh",
  "https://hooks.slack.com/services/",
  "https://h.example/a@b?q=a@b",
  "no address?token=abcdefgh",
  "",
])("leaves %s as it is", (url) => {
  expect(maskedUrl(url)).toBe(url);
});
