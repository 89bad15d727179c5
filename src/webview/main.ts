/** The script of the chat. */
import '../protocol/text/without-eval.ts';
import { openChat } from './chat.tsx';
import { openFace } from './open-face.ts';

openFace({ chat: openChat });
