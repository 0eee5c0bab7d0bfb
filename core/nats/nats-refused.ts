// What no waiting will cure: the server answered, and said no. Told in one sentence at start.

export class NatsRefused extends Error {
  override readonly name = 'NatsRefused'
}
