import { createServer } from 'node:http';

/**
 * A query whose result has so many rows of six columns, a million unless the argument says otherwise, in pages of as
 * many as are asked for. It tells its port.
 */
const total = Number(process.argv[2] ?? 1_000_000);

const cell = (raw, formatted = raw) => ({ value: { raw, formatted: String(formatted) } });
const row = (i) => ({
  orders_id: cell(9_007_199_254_000_000 + i),
  orders_created: cell('2026-09-06T12:00:00.000Z', '2026-09-06'),
  orders_status: cell(['open', 'shipped', 'returned'][i % 3]),
  orders_total: cell(i * 1.25, `$${(i * 1.25).toFixed(2)}`),
  customers_name: cell(`Customer number ${i % 50_000}`),
  visits_count: cell(i % 7 === 0 ? null : i % 100),
});

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const [page, pageSize] = ['page', 'pageSize'].map((name) => Number(searchParams.get(name)));
  const first = (page - 1) * pageSize;
  const length = Math.min(pageSize, total - first);
  const totalPageCount = Math.ceil(total / pageSize);
  const results = {
    status: 'ready',
    page,
    nextPage: page < totalPageCount ? page + 1 : null,
    totalPageCount,
    totalResults: total,
    rows: Array.from({ length }, (_, i) => row(first + i)),
  };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 'ok', results }));
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
