import assert from 'node:assert/strict';
import { newId } from '../../../protocol/rpc/ids.ts';
import { NamedByUser } from './named-by-user.ts';

describe('A capability that the user names', () => {
	const threadId = newId('thr');
	const agent = { kind: 'agent', threadId, turnId: newId('trn') } as const;
	const deploy = { type: 'skill', name: 'deploy' };
	const isNamed = (text: string, caller: Parameters<NamedByUser['has']>[0] = agent) => {
		const named = new NamedByUser();
		named.said(threadId, text);
		return named.has(caller, deploy);
	};

	for (const text of [
		'deploy it',
		'do not /deploy',
		'/deploy-all',
		'/deployment',
		'/talent/deploy',
		'see /deploy',
		'',
	]) {
		it(`is not meant by "${text}"`, () => assert.equal(isNamed(text), false));
	}

	for (const text of ['/deploy', '/deploy to prod', ' /skill/deploy now', 'Use the capability deploy. ']) {
		it(`is meant by "${text}"`, () => assert.equal(isNamed(text), true));
	}

	it('may be one of a plugin whose name holds dots', () => {
		const named = new NamedByUser();
		for (const [text, isMeant] of [
			['/com.example.kit:deploy now', true],
			['Use the capability skill/com.example.kit:deploy.', true],
			['/com-example-kit:deploy', false],
			['/com.example.kit', false],
		] as const) {
			named.said(threadId, text);
			assert.equal(named.has(agent, { type: 'skill', name: 'com.example.kit:deploy' }), isMeant, text);
		}
	});

	it('is named for the agent of that thread alone, until the next message', () => {
		assert.equal(isNamed('/deploy', { ...agent, threadId: newId('thr') }), false);
		assert.equal(isNamed('/deploy', { kind: 'user', threadId }), false);
		const named = new NamedByUser();
		named.said(threadId, '/deploy');
		named.said(threadId, 'And now?');
		assert.equal(named.has(agent, deploy), false);
	});
});
