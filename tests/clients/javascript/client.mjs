// Typical use of the JavaScript client, with assertions: `node client.mjs KUBECONFIG`.
import assert from 'node:assert/strict';
import * as k8s from '@kubernetes/client-node';

const GROUP = 'config.porch.kpt.dev';
const NS = 'default';
const config = new k8s.KubeConfig();
config.loadFromFile(process.argv[2]);

// `until` resolves with the first true value of `look`, which runs again on each `wake`.
function waiter(what, seconds = 60) {
  const waiting = new Set();
  return {
    wake: () => { for (const each of waiting) each(); },
    until: (look) => new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${what}: not within ${seconds} seconds`)), seconds * 1000);
      const again = () => {
        const found = look();
        if (!found) return;
        clearTimeout(late);
        waiting.delete(again);
        resolve(found);
      };
      waiting.add(again);
      again();
    }),
  };
}

async function refused(code, call) {
  const why = await call().then(() => null, (error) => error);
  assert.equal(why?.code, code, `${call}: ${why}`);
  return JSON.parse(why.body);
}

// Typed access to Kubernetes' own kinds.
async function typed() {
  const core = config.makeApiClient(k8s.CoreV1Api);
  await core.createNamespacedConfigMap({ namespace: NS, body: { metadata: { name: 'typed' }, data: { a: '1' } } });
  const again = await refused(409, () => core.createNamespacedConfigMap({ namespace: NS, body: { metadata: { name: 'typed' } } }));
  assert.equal(again.reason, 'AlreadyExists');
  await core.patchNamespacedConfigMap(
    { namespace: NS, name: 'typed', body: { data: { b: '2' } } },
    k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch));
  await core.patchNamespacedConfigMap(
    { namespace: NS, name: 'typed', body: [{ op: 'replace', path: '/data/a', value: '3' }] },
    k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.JsonPatch));
  const stored = await core.readNamespacedConfigMap({ namespace: NS, name: 'typed' });
  assert.deepEqual(stored.data, { a: '3', b: '2' });
  assert.ok(stored.metadata.creationTimestamp instanceof Date);
  stored.data.a = '4';
  await core.replaceNamespacedConfigMap({ namespace: NS, name: 'typed', body: stored });
  await refused(409, () => core.replaceNamespacedConfigMap({ namespace: NS, name: 'typed', body: stored }));
  const gone = await core.deleteNamespacedConfigMap({ namespace: NS, name: 'typed' });
  assert.equal(gone.status, 'Success');
  await refused(404, () => core.readNamespacedConfigMap({ namespace: NS, name: 'typed' }));
}

// Any kind, found through discovery, by create, read, patch, apply, list and delete.
async function untyped() {
  const objects = k8s.KubernetesObjectApi.makeApiClient(config);
  const made = await objects.create({
    apiVersion: `${GROUP}/v1alpha1`, kind: 'PackageVariant', metadata: { name: 'js', namespace: NS },
    spec: { upstream: { repo: 'catalog', package: 'web', revision: 1 }, downstream: { repo: 'edge', package: 'js' } },
  });
  assert.ok(made.metadata.uid);
  const header = { apiVersion: made.apiVersion, kind: made.kind, metadata: { name: 'js', namespace: NS } };
  await objects.patch({ ...header, spec: { labels: { a: 'b' } } }, undefined, undefined, undefined, undefined,
    k8s.PatchStrategy.MergePatch);
  await objects.patch({ ...header, spec: { annotations: { c: 'd' } } }, undefined, undefined, 'js', true,
    k8s.PatchStrategy.ServerSideApply);
  const stored = await objects.read(header);
  assert.deepEqual([stored.spec.labels, stored.spec.annotations], [{ a: 'b' }, { c: 'd' }]);
  assert.ok(stored.metadata.managedFields.some((each) => each.manager === 'js' && each.operation === 'Apply'));
  const all = await objects.list(made.apiVersion, made.kind, NS);
  assert.deepEqual(all.items.map((each) => each.metadata.name), ['js']);
  await objects.delete(header);
  const bad = await refused(422, () => objects.create({ ...header, spec: { upstream: { revision: 'one' } } }));
  assert.equal(bad.kind, 'Status');
}

// An informer: at the end its copy equals the objects on the server.
async function informer() {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const name = (n) => `informed-${n}`;
  const body = (n, value) => ({ metadata: { name: name(n), labels: { js: 'yes' } }, data: { value } });
  await core.createNamespacedConfigMap({ namespace: NS, body: body(0, 'first') });
  const copy = k8s.makeInformer(config, `/api/v1/namespaces/${NS}/configmaps`,
    () => core.listNamespacedConfigMap({ namespace: NS, labelSelector: 'js=yes' }), 'js=yes');
  const told = [];
  const wait = waiter('the informer');
  for (const verb of ['add', 'update', 'delete'])
    copy.on(verb, (object) => { told.push(`${verb} ${object.metadata.name}`); wait.wake(); });
  const wrong = [];
  copy.on('error', (why) => { wrong.push(why); wait.wake(); });
  copy.on('connect', wait.wake);
  await copy.start();
  await wait.until(() => copy.get(name(0), NS)?.data.value === 'first');
  for (let n = 1; n < 20; ++n) await core.createNamespacedConfigMap({ namespace: NS, body: body(n, 'first') });
  for (let n = 0; n < 20; n += 2) await core.replaceNamespacedConfigMap({ namespace: NS, name: name(n), body: body(n, 'second') });
  for (let n = 0; n < 20; n += 5) await core.deleteNamespacedConfigMap({ namespace: NS, name: name(n) });
  await core.createNamespacedConfigMap({ namespace: NS, body: { metadata: { name: 'other' } } });
  await core.createNamespacedConfigMap({ namespace: NS, body: body(99, 'last') });
  await wait.until(() => wrong.length > 0 || copy.get(name(99), NS));
  const held = Object.fromEntries(copy.list(NS).map((each) => [each.metadata.name, each.data.value]));
  const there = await core.listNamespacedConfigMap({ namespace: NS, labelSelector: 'js=yes' });
  assert.deepEqual(held, Object.fromEntries(there.items.map((each) => [each.metadata.name, each.data.value])));
  assert.equal(told.filter((each) => each.startsWith('delete')).length, 4);
  assert.ok(!told.includes('add other'));
  assert.deepEqual(wrong, []);
  await copy.stop();
}

// A plain watch from a resourceVersion.
async function watch() {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const { metadata } = await core.listNamespacedConfigMap({ namespace: NS });
  const seen = [];
  const wait = waiter('the watch');
  const request = await new k8s.Watch(config).watch(`/api/v1/namespaces/${NS}/configmaps`,
    { resourceVersion: metadata.resourceVersion, fieldSelector: 'metadata.name=watched' },
    (type) => { seen.push(type); wait.wake(); }, () => {});
  await core.createNamespacedConfigMap({ namespace: NS, body: { metadata: { name: 'watched' } } });
  await core.patchNamespacedConfigMap({ namespace: NS, name: 'watched', body: { data: { a: 'b' } } },
    k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch));
  await core.deleteNamespacedConfigMap({ namespace: NS, name: 'watched' });
  await wait.until(() => seen.length === 3);
  assert.deepEqual(seen, ['ADDED', 'MODIFIED', 'DELETED']);
  request.abort();
}

// Pages of a list, each continuing the previous one.
async function pages() {
  const core = config.makeApiClient(k8s.CoreV1Api);
  const names = [];
  for (let _continue; ;) {
    const page = await core.listNamespacedConfigMap({ namespace: NS, labelSelector: 'js=yes', limit: 4, _continue });
    names.push(...page.items.map((each) => each.metadata.name));
    if (!(_continue = page.metadata._continue)) break;
  }
  assert.equal(new Set(names).size, 17);
  assert.equal(names.length, 17);
}

for (const part of [typed, untyped, informer, watch, pages]) {
  await part();
  console.log(`${part.name}: ok`);
}
process.exit(0); // the client keeps connections open
