/**
 * Lines as people write them, with what is to be found marked: `[[KIND:text]]`. Lines without a mark hold nothing. All of it
 * is made up. `~` stands in secrets where nothing stands, so that no scanner takes this file for a leak.
 */
export const personalLines: readonly string[] = `
Please write to [[EMAIL_ADDRESS:maria.lopez@example.com]] about the invoice.
My address is [[EMAIL_ADDRESS:j.doe+news@mail.example.co.uk]], thanks!
cc: [[EMAIL_ADDRESS:ops@example.io]], [[EMAIL_ADDRESS:dev-team@example.io]]
"[[EMAIL_ADDRESS:o'brien@example.ie]]" <[[EMAIL_ADDRESS:pat_obrien@example.ie]]>
{"email":"[[EMAIL_ADDRESS:user123@example.org]]","id":7}
Kontakt: [[EMAIL_ADDRESS:jürgen.müller@beispiel.de]].
mailto:[[EMAIL_ADDRESS:sales@shop.example.com]]?subject=hi
([[EMAIL_ADDRESS:a@b.co]])
E-mail:[[EMAIL_ADDRESS:FIRST.LAST@EXAMPLE.COM]]
Forwarded by [[EMAIL_ADDRESS:no-reply@notifications.example.travel]] yesterday
I lost access to [[EMAIL_ADDRESS:kim.lee88@example.kr]]. Can you reset it?
login=[[EMAIL_ADDRESS:root@example.net]];role=admin
From: Ann <[[EMAIL_ADDRESS:ann@example.com]]> To: Bob <[[EMAIL_ADDRESS:bob@example.com]]>
His handle is [[EMAIL_ADDRESS:x.y.z@sub.domain.example.edu]] I think
почта: [[EMAIL_ADDRESS:ivan@пример.рф]]
Reach me: [[EMAIL_ADDRESS:t.nguyen@example.vn]]/[[EMAIL_ADDRESS:tnguyen@example.com]]
you can mail [[EMAIL_ADDRESS:help@example.app]]...
contact[at]example.com is how I write it
Send it to [[EMAIL_ADDRESS:jane dot roe at example dot com]] please.
The user [[EMAIL_ADDRESS:%special%@example.com]] could not log in.
Use logo@2x.png on retina screens.
npm install left-pad@1.3.0 lodash@4.17.21
git clone git@github.com:acme/widgets.git
Follow @maria_lopez on the network.
The price is 5 @ 3.99 each.
Import styles@v2.css and main@next.js first.
@Override public void run() {}
See user@host in the manual.
The tag is release@2024.
Meet @ 5pm, table 12.
My card is [[CREDIT_CARD:4111 1111 1111 1111]], valid 12/27.
Card: [[CREDIT_CARD:5500005555555559]]
[[CREDIT_CARD:3782-822463-10005]] is the corporate one
pay with [[CREDIT_CARD:6011000990139424]] please
Visa [[CREDIT_CARD:4012-8888-8888-1881]] cvv 123
Number [[CREDIT_CARD:2223003122003222]] was declined.
amex [[CREDIT_CARD:3714 496353 98431]]
{"pan":"[[CREDIT_CARD:4242424242424242]]"}
Diners: [[CREDIT_CARD:3056 930902 5904]]
JCB [[CREDIT_CARD:3530111333300000]]
Two cards: [[CREDIT_CARD:4000056655665556]] and [[CREDIT_CARD:5200828282828210]].
UnionPay [[CREDIT_CARD:6200000000000005]]
charge [[CREDIT_CARD:4000 0566 5566 5556]] 42 euros
old visa [[CREDIT_CARD:4222222222222]]
it ends: [[CREDIT_CARD:4111.1111.1111.1111]]
Order 4111111111111112 was shipped.
Tracking number 9400110200881234567890
ISBN 978-3-16-148410-0 is out of print.
The timestamp was 1700000000000 ms.
Ticket 1234 5678 9012 3456 is not a card.
The hash starts with 41111111111111112222.
IMEI 490154203237518 reported stolen.
Invoice no. 2024000000000017
account_id: 5555000011112223
Distance to the moon in mm: 384400000000
Pay to [[IBAN:DE89 3704 0044 0532 0130 00]] by Friday.
IBAN [[IBAN:GB29NWBK60161331926819]]
[[IBAN:FR14 2004 1010 0505 0001 3M02 606]], BIC PSSTFRPPXXX
Konto: [[IBAN:AT611904300234573201]].
NL: [[IBAN:NL91ABNA0417164300]] op naam van J. Jansen
[[IBAN:ES9121000418450200051332]] es mi cuenta
iban=[[IBAN:IT60X0542811101000000123456]]
CH: [[IBAN:CH93 0076 2011 6238 5295 7]] THANKS
Belgium [[IBAN:BE68 5390 0754 7034]] and Poland [[IBAN:PL61109010140000071219812874]]
[[IBAN:se4550000000058398257466]] in lower case
[[IBAN:NO93 8601 1117 947]] is short
My account, [[IBAN:PT50 0002 0123 1234 5678 9015 4]].
[[IBAN:DE89-3704-0044-0532-0130-00]] with hyphens
DE89 3704 0044 0532 0130 01 has a typo.
Part number GB29NWBK60161331926810
The model is DE12ABCD34.
FR1420041010050500013M0260 is a fragment
SKU XY99 1234 5678 9012 3456
Room AT61 1904 on floor 3
My SSN is [[SSN:123-45-6789]].
ssn: [[SSN:219 09 9998]]
Social Security Number: [[SSN:457555462]]
tax id [[SSN:536-22-8765]] (US)
{"ssn":"[[SSN:318-12-4567]]"}
SSN [[SSN:401221234]] on file
Her number, [[SSN:212-34-9876]], was in the mail.
social security is [[SSN:655328712]]
Use [[SSN:078-05-1120]] as the sample
applicant [[SSN:502-11-3344]] born in 1980
my social is [[SSN:432118765]]
000-12-3456 cannot be one.
666-12-3456 cannot be one either.
Part 987-65-4321 is in stock.
The code is 123-00-4567.
Phone tree 123-45-67890
Serial A123-45-6789
order 123456789 arrived
Build 123-45-6789-rc1
Zip 94105-1234 and 123-4567
ID 900-12-3456
Server at [[IP_ADDRESS:192.168.1.10]] is down.
ping [[IP_ADDRESS:8.8.8.8]]
Connected from [[IP_ADDRESS:203.0.113.42]]:8443
[[IP_ADDRESS:10.0.0.0]]/8 is private.
listen on [[IP_ADDRESS:2001:db8:85a3::8a2e:370:7334]]
host [[IP_ADDRESS:fe80::1]] port 22
[[IP_ADDRESS:2001:0db8:0000:0000:0000:ff00:0042:8329]] is long
http://[[IP_ADDRESS:127.0.0.1]]:3000/health
mapped [[IP_ADDRESS:::ffff:192.0.2.128]]
Blocked: [[IP_ADDRESS:198.51.100.7]], [[IP_ADDRESS:198.51.100.8]] and [[IP_ADDRESS:198.51.100.9]].
client=[[IP_ADDRESS:172.16.254.1]] status=200
the address was [[IP_ADDRESS:2001:db8::1]].
[[[IP_ADDRESS:2001:db8::2]]]:443
Addr: [[IP_ADDRESS:100.64.0.1]];
We upgraded to version 1.2.3.4 last night.
Chrome v120.0.6099.129 is out
Section 4.2.1.3 of the contract
At 12:34:56 the build failed.
std::vector<int> v; ns::f();
MAC 00:1a:2b:3c:4d:5e
The ratio is 3:2:1.
OID 1.3.6.1.4.1.311
Score 256.300.1.1 is no address.
Release 10.4.0 and 10.4.0.1-beta
Genesis 1:1 and John 3:16
a::b in Ruby, Foo::Bar in Perl
12.5.2024 was a Sunday.
Call me at [[PHONE_NUMBER:(415) 555-2671]] after six.
Phone: [[PHONE_NUMBER:+1 415 555 2671]]
Tel. [[PHONE_NUMBER:+44 20 7946 0958]]
[[PHONE_NUMBER:+49 (0)30 901820]] ist die Nummer
my number is [[PHONE_NUMBER:415-555-0132]]
WhatsApp [[PHONE_NUMBER:+5511987654321]]
fax [[PHONE_NUMBER:212.555.0187]]
text me at [[PHONE_NUMBER:5551234567]]
[[PHONE_NUMBER:1-800-555-0199]] is free
ring [[PHONE_NUMBER:020 7946 0958]]
Mobile: [[PHONE_NUMBER:07700 900123]]
tél. [[PHONE_NUMBER:01 23 45 67 89]]
[[PHONE_NUMBER:06 12 34 56 78]] c'est mon portable
Dial [[PHONE_NUMBER:0049 30 901820]] from abroad
Büro [[PHONE_NUMBER:030/1234567]]
[[PHONE_NUMBER:+33 1 23 45 67 89]] or [[PHONE_NUMBER:+33.6.12.34.56.78]]
{"phone":"[[PHONE_NUMBER:+14155550100]]"}
Call us on [[PHONE_NUMBER:555-0199]].
India: [[PHONE_NUMBER:+91 98765 43210]]
Tokyo [[PHONE_NUMBER:+81-3-1234-5678]], Sydney [[PHONE_NUMBER:+61 2 9876 5432]]
home [[PHONE_NUMBER:(212)555-0143]], work [[PHONE_NUMBER:646 555 0178]]
telephone number is [[PHONE_NUMBER:555 0123]]
cell [[PHONE_NUMBER:310 555 0166]] ext. 5
lost my phone, new one is [[PHONE_NUMBER:98765 43210]]
number [[PHONE_NUMBER:4155550133]] belongs to her
The meeting is on 2024-05-17 at 10:00.
Order 100-200-3000 has three lines.
In 2023 1,234,567 people came.
The range is 1990-2020.
Pi is 3.14159265358979.
Coordinates 52.5200, 13.4050
Room 415, desk 26-71
ISO 9001:2015 and RFC 7231
Version 2024.01.15.1
It costs 1 200 300 dollars.
+5 points for you, -3 for me
Score 21-15, 21-18
id=123e4567-e89b-12d3-a456-426614174000
sha 9f86d081884c7d659a2feaa0c55ad015
0.123 456 is a number
1 + 1 = 2 and 10 + 20 = 30
Take 2 pills every 8 hours for 10 days.
Flight LH 400 leaves at 08 45
[11, 22, 33, 44, 55, 66]
The year 1984 and the year 2001.
Call 911 in an emergency.
Page 12 of 345, line 6789
Account 00012345678 was closed.
10-12-2023 14-30-00 is how the file is named
At 0 to 100 in 3.2 seconds
We sold 250-300 units on 01/02/2023.
The quick brown fox jumps over the lazy dog.
Bitte senden Sie die Unterlagen bis Montag.
const total = items.reduce((a, b) => a + b.price * 1.19, 0);
SELECT id, name FROM users WHERE age > 30 LIMIT 100;
`
  .trim()
  .split("\n");

export const secretLines: readonly string[] = `
aws_access_key_id = [[AWS_ACCESS_KEY:AKIA~IOSFODNN7EXAMPLE]]
my key is [[AWS_ACCESS_KEY:ASIA~Y34FZKBOKMUTVV7A]], rotate it
aws_secret_access_key = [[AWS_SECRET_KEY:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE~KEY]]
export AWS_SECRET_ACCESS_KEY="[[AWS_SECRET_KEY:zB9f/2Lk+QmT0aYx7WcPpR5uNvE1sGhJ4dKoIi8~M]]"
git remote set-url origin https://[[GITHUB_TOKEN:ghp_~16C7e42F292c6912E7710c838347Ae178B4a]]@github.com/a/b
token: [[GITHUB_TOKEN:github_pat_~11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789]]
[[GITHUB_TOKEN:gho_~16C7e42F292c6912E7710c838347Ae178B4a]]
CI uses [[GITLAB_TOKEN:glpat-~x9Yz_8wVu7Ts6Rq5Po4N]].
ANTHROPIC_API_KEY=[[ANTHROPIC_KEY:sk-ant-~api03-Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZmdo]]
OPENAI_API_KEY=[[OPENAI_KEY:sk-~proj-T3BlbkFJ9abcDEF123ghiJKL456mno]]
old style [[OPENAI_KEY:sk-~a1B2c3D4e5F6g7H8i9J0T3BlbkFJk1L2m3N4o5P6]]
key=[[GOOGLE_KEY:AIza~SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY]]&q=x
secret [[GOOGLE_KEY:GOCSPX-~1a2B3c4D5e6F7g8H9i0J1k2L3m4N]]
Authorization: Bearer [[GOOGLE_TOKEN:ya29.~a0AfH6SMBx1234567890abcdefghij]]
slack: [[SLACK_TOKEN:xoxb-~123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx]]
[[SLACK_TOKEN:xoxp-~2345678901-abcdef123456]] stopped working
stripe [[STRIPE_KEY:sk_~live_4eC39HqLyjWDarjtT1zdp7dc]] in production
[[STRIPE_KEY:rk_~test_51H8abcDEF456ghiJKL]] is restricted
[[STRIPE_KEY:whsec_~9f8E7d6C5b4A3z2Y1x0W9v8U]]
SENDGRID=[[SENDGRID_KEY:SG.~ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr]]
[[TWILIO_KEY:SK~0123456789abcdef0123456789abcdef]]
//registry.npmjs.org/:_authToken=[[NPM_TOKEN:npm_~a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8]]
[[PYPI_TOKEN:pypi-~AgEIcHlwaS5vcmcCJDAxMjM0NTY3LTg5YWItY2RlZi0wMTIzLTQ1Njc4OWFiY2RlZg]]
HF: [[HUGGINGFACE_TOKEN:hf_~AbCdEfGhIjKlMnOpQrStUvWxYz012345]]
[[DIGITALOCEAN_TOKEN:dop_~v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef]]
[[GROQ_KEY:gsk_~a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4]]
DATABASE_URL=postgres://app:[[URL_PASSWORD:s3cr~etPa55]]@db.internal:5432/main
redis://default:[[URL_PASSWORD:hunter~2]]@cache:6379
amqp://guest:[[URL_PASSWORD:gu3st~pw!]]@rabbit.example.com/vhost
password=[[ASSIGNED_SECRET:Tr0ub4dor~&3]]
"password": "[[ASSIGNED_SECRET:correct7horse9~battery]]"
My password is [[ASSIGNED_SECRET:S0mmer2024!~]]
DB_PASSWORD: [[ASSIGNED_SECRET:xK9#mP2$vL5~n]]
api_key = '[[ASSIGNED_SECRET:9f8b7c6d5e4f3a2b1c0d~]]'
apiKey:"[[ASSIGNED_SECRET:Qm9vVGhpc0lzQVRlc3Q1~]]"
client_secret=[[ASSIGNED_SECRET:7Fjfp0ZBr1KtDRbn~fVdmIw]]
the password is [[ASSIGNED_SECRET:letmein~please]]
pin for the door: [[ASSIGNED_SECRET:48~21]]
cookie session=[[JWT:eyJ~hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ~zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U]]
Bearer [[JWT:eyJ~0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJ~pc3MiOiJodHRwczovL2lkLmV4YW1wbGUifQ.AbCdEfGhIjKlMnOpQrStUvWxYz0123456789]]
[[PRIVATE_KEY:-----BEGIN ~RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEAn0123456789abcdefghij\\nMIIEpAIBAAKCAQEA\\n-----END ~RSA PRIVATE KEY-----]]
pem=[[PRIVATE_KEY:-----BEGIN ~PRIVATE KEY-----\\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\\n-----END ~PRIVATE KEY-----]];
password=<your password here>
PASSWORD=\${DB_PASSWORD}
api_key: YOUR_API_KEY_HERE
token = process.env.GITHUB_TOKEN
password: ********
"secret": "changeme"
The password is required and must have eight characters.
Use sk-learn for the classifier and sk-ant for nothing.
secret = os.environ["APP_SECRET"]
The token count was 1234 in total.
commit 16c7e42f292c6912e7710c838347ae178b4a0d11
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
uuid 123e4567-e89b-12d3-a456-426614174000
AKIA is how such keys begin.
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE-----END PUBLIC KEY-----
npm_config_registry=https://registry.example
hf_transformers is not a token
https://user@example.com/path
http://localhost:3000/a@b
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
eyJhbGciOiJub25lIn0 is only a header
xoxo, see you tomorrow
class sk-test-component-name-that-is-long
my-secret: see the vault
api key: none
The secret is to let the dough rest overnight.
password reset link: https://example.com/reset
token_type=bearer
SKU SK-2024-0001
SG.1 and SG.2 are the two groups.
secret santa is on 12 December
`
  .trim()
  .split("\n");

export interface LabelledLine {
  readonly text: string;
  readonly marks: readonly { readonly kind: string; readonly start: number; readonly end: number }[];
}

/** A line without its marks, and where they were. */
export function labelled(line: string): LabelledLine {
  const marks: { kind: string; start: number; end: number }[] = [];
  let text = "";
  let at = 0;
  for (const match of line.matchAll(/\[\[([A-Z_]+):(.+?)\]\]/g)) {
    const [whole, kind = "", marked = ""] = match;
    text += line.slice(at, match.index);
    marks.push({ kind, start: text.length, end: text.length + clean(marked).length });
    text += clean(marked);
    at = match.index + whole.length;
  }
  return { text: text + line.slice(at), marks };
}

const clean = (text: string): string => text.replaceAll("~", "").replaceAll("\\n", "\n");
