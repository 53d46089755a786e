/** Ordinary writing, from which it is learned how letters follow one another. Made up. */
export const sample = `
The morning was cold and quiet when the first bus arrived at the square. People were waiting with their hands in their pockets,
talking about the weather, the price of bread and the football match of the night before. A woman with a green umbrella asked
the driver whether he went past the hospital, because her daughter worked there as a nurse and had forgotten her lunch. He said
that he did, and that she should get off at the fourth stop, just after the bridge. Somebody laughed at the back of the bus.
Our company builds software for schools and small businesses. We believe that good tools should be simple, reliable and easy to
learn. Every customer receives a personal account, a detailed manual and help by telephone between eight and six. If something
does not work as expected, please describe the problem exactly, attach a picture of the error message and tell us which version
of the program you are using. We usually answer within two working days, but during holidays it may take a little longer.
To make the soup, chop the onions and carrots, fry them gently in butter for ten minutes, then add potatoes, stock, salt and
pepper. Simmer until everything is soft, mix until smooth and serve with fresh parsley and toasted bread. Children often like it
with cheese. Freeze what is left over; it keeps for about three months and makes a quick meal on a busy evening.
Scientists have discovered that the oldest trees in the forest exchange nutrients through a network of fungi below the ground.
Young plants which grow in the shadow of others depend upon this hidden support. When a large tree is removed, its neighbours
frequently suffer as well. The researchers measured the flow of carbon using a harmless tracer and published their results in a
respected journal. Other experts warned against drawing conclusions too quickly and called for further experiments.
The function returns a list of objects, each of which has a name, a type and an optional description. When the argument is empty
it throws an exception, so callers have to check the value first. Database queries are cached for an hour, requests without a
valid token are rejected, and long responses are split into several pages. Developers can configure the timeout, the number of
retries and the directory where temporary files are written. Unit tests cover most of the module, although not the network layer.
Dear friends, thank you for your kind invitation. Unfortunately I will be travelling through Mexico and Brazil in July, visiting
my uncle who lives near the ocean. Perhaps we could celebrate together in September? I would love to see the new garden, the
jazz club next to the zoo, and of course the baby. Give my love to everybody, and enjoy the summer! Yours sincerely, Victoria.
Question: why does the moon look bigger when it is close to the horizon? Answer: it is an illusion, judging by photographs.
History, geography, physics, chemistry, biology, mathematics, philosophy, economics, politics, psychology, music and art.
`;
