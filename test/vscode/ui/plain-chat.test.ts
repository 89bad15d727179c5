/**
 * Runs the stories that need a chat with a scripted model and no settings of their own. They share a workbench, because
 * opening one takes seconds.
 */
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import { dangerousApproval } from './plain-chat/approval-danger.ts';
import { approvalForTheTurn } from './plain-chat/approval-turn.ts';
import { besideATurn } from './plain-chat/beside-a-turn.ts';
import { drafts } from './plain-chat/drafts.ts';
import { keysInMessages } from './plain-chat/keys-in-messages.ts';
import { retryTakenBack } from './plain-chat/retry-taken-back.ts';
import { severalApprovals } from './plain-chat/several-approvals.ts';
import { subAgents } from './plain-chat/sub-agents.ts';

describe('In a chat', () => {
	let scripted: ScriptedChat;
	before(async () => {
		scripted = await openScriptedChat();
	});
	after(() => scripted?.close());

	const plain = () => scripted;
	dangerousApproval(plain);
	approvalForTheTurn(plain);
	severalApprovals(plain);
	keysInMessages(plain);
	retryTakenBack(plain);
	subAgents(plain);
	besideATurn(plain);
	drafts(plain);
});
