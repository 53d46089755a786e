/** Tokens for the table of the check: signed with a key nobody has any more, good at 10 o'clock on 5 January 2026. */

export const jwks = {
  keys: [
    {
      kty: "RSA",
      kid: "k1",
      alg: "RS256",
      e: "AQAB",
      n: [
        "wGrwbIOyGD0xGvsB1mrvr586huCMergiXHYJqVKVAQjpTmjPHPYPM3X07RQwlentJCJrOtjZChoQZmkAkBBBU4qOHjLY2Ms7rLu090fWd792aC",
        "5v2Q9B0MikCQLTfh2mqSIIFoYHRy0XI0RIUzDuIkjQFIuitIRzNbdc5O4EM0V9BFDfNkpnrfiU3YNK4v95AyHGsYE8P4rcg65-yzU5E9lLivwV",
        "LpifxzjWKYw9QQ9fP8yKsd2slfHc0fr-BPxQgdNrvwJ5GCoHuSxk8KLwOXUiMOq1bbdOg6fIFAmZCbcVSZIVWwI6Emu6QaQbiNEBmJ7uUMUmbb",
        "2sUQLf8BKScQ",
      ].join(""),
    },
  ],
};

/** Of u1, who may read and write, of the teams a and b; its header names the tenant as well. */
export const good = [
  "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIiwidGVuYW50IjoidDEifQ.eyJzdWIiOiJ1MSIsInNjb3BlIjoicmVhZCB3cml0ZSIsInRlYW1faWQ",
  "iOlsiYSIsImIiXSwidGVuYW50IjoidDEiLCJpYXQiOjE3Njc2MDcxNDAsImV4cCI6MTc2NzYwNzgwMH0.gccs7gWSmrdohLPOf3y2oFxZsO1Pk",
  "E9mNsBVQ30AjxTwfyJ6OZeMeDDzr1vvKOpXC5zS1lr47DTo67mgekRN3Xqxv2pQurEAE_PgF1qv2CcRTbiUmzcj6ifPCW1mHfMX_ORdz89nqkF",
  "1xAfCP_2uu1c-JbA9BVVaBxDUyCLA9KPYoY-3tUaFIwqU2FoBEQDDDLtJsUdUh1w2k7Dj7odvo-UD1WnzzT3SQt3jdvvQS3bxl6jTfNIAOgeqC",
  "mfs2pFJjjdXBZRscIuERwXARVo6avFMdXv-oUycaAxZM1U233Kjag_u54TCh2sfbppzx7s4z82GMohzj6RCqyKQRvbjwQ",
].join("");

/** Of u1, which expired a minute ago. */
export const expired = [
  "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJ1MSIsImlhdCI6MTc2NzYwNjUwMCwiZXhwIjoxNzY3NjA3MTQwfQ.RcG7nx7PeHm",
  "CJbKHYnGM7FCGMKnJzHuhzN56cx3VdNuFv1CSx8_NGZhS97Ypabv5e0Pu_aQ6yGzhLy0kHMCGK8pvWw10zxYJvPdH4aWuoflsU4_QX-QfzaSir",
  "a2GR97OMuG-DKO8B2bpl-k9CR4Yz0uK0qDHpJ4QVMpfALL9zWMJJlj0vRjPwXjW_Z4x-uYn_g-789b90fv5fjdxnsDJgrFkAqzIP1mCHeytVoq",
  "czqtNA-ijGrS2p2iB4Qemc-Yo_wUR7opVj7UVvEGAGoThf-f36OgThKxJYDpT6n2DF5UlsM5t5OhPmHpiAolwctF_iOl6B8xdz2D8e4CsB27Yw",
  "g",
].join("");

/** Of u1, issued two days ago. */
export const old = [
  "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJ1MSIsImlhdCI6MTc2NzQzNDQwMCwiZXhwIjoxNzY3NjA3ODAwfQ.VTJBnTxyNHT",
  "ubflds35V1qQSrqNiWjdJYz0uwFbdk2frS873rUPGK8gMmgHJuXedQ1RLlxSP0w_aCZhWtbVW-owOMUvFoMu-fi5lnxyX_QxVLmj6sMQfZAYlQ",
  "qENM5XtxdWIim82OAkfqNutAuFrH_9K15VUCRwRgvsoZojTPA4ThOGWxYO6bRPAZvFY2CPTm0unFsW4OttyLjWZyfPoY9NOIu6-Dth8Ew3kSY7",
  "jGzbasCYM4-ej9VI2oMipWiN4S2odUXXJEDlVFvsUwgdc1SDWwu5FvQ1wOrh9eu1Uht1kDSN3K8m1v3MJfpkiVamw61pTIyGZxXRlVP1e-ZM3i",
  "g",
].join("");

/** Of u1, with a key that is not in the set. */
export const otherKid = [
  "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsyIn0.eyJzdWIiOiJ1MSIsImlhdCI6MTc2NzYwNzE0MCwiZXhwIjoxNzY3NjA3ODAwfQ.ZH5zYOTfxM6",
  "xria0KQi4u3e1yxBIfpMwJzh8icBPhwa_7UMCotvf0xLvRFkZ-Mhme_qIesnnsp7o4iKwWSED61SE5fCaRXIPxq_KdWQm7eFs3f8zbLFh8N-iS",
  "WBXvDhq6eIf8xniXWJz76ZhvcgNriTHGGhB-Fo40_Lh05mzOfoovO1ZildXF5juRt6eWqYBWPX7SVgDGqEIIkUD99103ktIV0XwndxQPtBSGMy",
  "lPxUqTXdZi0nfiVRwxI7tFWl_JqmBAd2N1oxi5APnki0Kn7wp-8Ns3MeGPnN_ccCc9n35A7rbaj4C5-jSaoyt1LiFHvrBebwd7dJ8BNUHQS_rC",
  "Q",
].join("");
