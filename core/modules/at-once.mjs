/** What is made of something that is there, or will be: hooks are called by node in both ways. */
export const made = (found, make) => (found instanceof Promise ? found.then(make) : make(found));
