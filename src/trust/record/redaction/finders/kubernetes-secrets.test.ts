import assert from 'node:assert/strict';
import { Redactor } from '../redactor.ts';

const redactor = new Redactor();

describe('a Kubernetes Secret', () => {
	it('that is none, but named so or only referred to, stays', () => {
		for (const text of [
			'kind: ConfigMap\ndata:\n  greeting: aGVsbG8gd29ybGQ=\n',
			'kind: ExternalSecret\nspec:\n  data:\n    - secretKey: greeting\n      remoteRef:\n        key: aGVsbG8gd29ybGQ\n',
			'kind: Secret\nmetadata:\n  name: empty\ndata:\n  first: ""\n  second: {{ .Values.second }}\n',
			'kind: Secret\n---\nkind: ConfigMap\ndata:\n  greeting: aGVsbG8gd29ybGQ=\n',
		]) {
			assert.equal(redactor.redact(text), text);
		}
	});

	it('shows the names in it, and no value, whatever stands first', () => {
		const kind = 'apiVersion: v1\nkind: Secret\n';
		const data =
			'data:\n  # abbreviated\n  extra: YWRtaW46aGFyYm91cg==\n  "plain": "bGFudGVybiBncmVlbg=="\nmetadata:\n  name: depot\n';
		const shown =
			'data:\n  # abbreviated\n  extra: <redacted:kubernetes>\n  "plain": "<redacted:kubernetes>"\nmetadata:\n  name: depot\n';
		assert.equal(redactor.redact(kind + data), kind + shown);
		assert.equal(redactor.redact(data + kind), shown + kind);
	});

	it('shows no line of a value that is a block', () => {
		const text =
			"kind: 'Secret'\ndata:\n  .dockercfg: |\n    bGFudGVybiBncmVlbiBkZXBvdA==\n    aGFyYm91cg\ntype: Opaque\n";
		assert.equal(
			redactor.redact(text),
			"kind: 'Secret'\ndata:\n  .dockercfg: |\n    <redacted:kubernetes>\n    <redacted:kubernetes>\ntype: Opaque\n",
		);
	});

	it('shows no value as JSON', () => {
		const text = '{"apiVersion": "v1", "data": {"ca.pem": "bGFudGVybiBncmVlbg=="}, "kind": "Secret"}';
		assert.equal(redactor.redact(text), text.replace('bGFudGVybiBncmVlbg==', '<redacted:kubernetes>'));
	});
});
