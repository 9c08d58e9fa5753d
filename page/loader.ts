/**
 * Unpacks the index and the program, and runs it: with all checks of an instance, they would be too large as they are. The
 * policy of the page allows this one program, by its hash.
 */
async function unpack(id: string): Promise<string> {
  const packed = Uint8Array.from(atob(document.getElementById(id)?.textContent ?? ''), (one) =>
    one.charCodeAt(0),
  );
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(unpacked).text();
}

async function load(): Promise<void> {
  const [index, program] = await Promise.all([unpack('index'), unpack('program')]);
  document.getElementById('index')?.replaceChildren(index);
  const script = document.createElement('script');
  script.text = program;
  document.body.append(script);
}

load();
