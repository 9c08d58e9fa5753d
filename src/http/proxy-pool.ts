import { type Dispatcher, Pool } from 'undici';

type TunnelTo = Omit<Dispatcher.ConnectOptions, 'origin'>;

/**
 * Connections to a proxy. If a proxy closes instead of opening a tunnel, undici treats that as an idle connection and
 * tries again at once and for ever, thousands of times a second. It continues after the request was given up, so that
 * the process never ends. Here it is an error that ends the request.
 */
export function openProxyPool(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const connect: (to: TunnelTo) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (to: TunnelTo) => {
      try {
        return await connect(to);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET')) throw error;
        const closed = new Error('the proxy closed the connection instead of opening a tunnel');
        throw Object.assign(closed, { code: 'ECONNRESET' });
      }
    },
  });
}
