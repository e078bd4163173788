"""The wording of injected instructions, by kind and in fourteen languages.

Every gap in a pattern is bounded, so that a search stays linear. A pattern here is a hint to a
person, never a verdict (see `scan`).
"""

import re
from functools import cache


@cache
def compiled(kind: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a kind; compiled when first asked for, as that takes a tenth of a second."""
    return tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in SIGNS[kind])


_OVERRIDE = (
    r"\b(?:ignore|disregard|forget|override|bypass|discard)\W{1,3}(?:(?:all|any|every|the|your"
    r"|of|my"
    r"|previous|prior|above|earlier|preceding|existing|these|those|system|safety|initial|original"
    r"|other|and)\W{1,3}){1,6}(?:instructions?|prompts?|rules|directions|guidelines|directives"
    r"|constraints|restrictions|policies|programming)",
    r"\byou are (?:now|no longer)\W{1,3}(?:in )?(?:dan\b|developer mode|unrestricted|jailbroken"
    r"|root"
    r"|bound by|restricted|an? [\w ]{0,30}(?:without|with no) (?:restrictions|rules|limits))",
    r"\b(?:new|updated|real|true|actual) (?:system )?(?:instructions?|prompt|directive)s?\s{0,3}:",
    r"\b(?:ignorier(?:e|en)|vergiss|vergessen|missachte|übergehe)\s(?:sie\s)?(?:bitte\s)?"
    r"(?:(?:alle|sämtliche|die|deine|ihre|vorherigen|bisherigen|obigen|früheren)\s){1,5}"
    r"(?:anweisungen|instruktionen|regeln|vorgaben|befehle)",
    r"\b(?:ignore[zr]?|oublie[zr]?|tene?z pas compte d|tiens pas compte d)\s?"
    r"(?:(?:toutes?|tous|les|tes|vos|es|de)\s){0,4}"
    r"(?:(?:précédentes|anciennes)\s)?(?:instructions|consignes|règles|directives)",
    r"\b(?:ignora|ignore|olvida|olvide|descarta|caso omiso (?:de|a))\s"
    r"(?:(?:todas?|las|tus|sus|los|anteriores)\s){0,4}(?:instrucciones|reglas|órdenes"
    r"|indicaciones)",
    r"\b(?:ignore|esqueça|desconsidere|ignora)\s(?:(?:todas?|as|suas|tuas|quaisquer|anteriores)\s)"
    r"{0,4}(?:instruções|regras|ordens|orientações)",
    r"\b(?:ignora|dimentica)\s(?:(?:tutte|le|tue|precedenti)\s){0,4}(?:istruzioni|regole"
    r"|direttive)",
    r"(?:игнорируй(?:те)?|забудь(?:те)?|обращай(?:те)? внимания на)\s"
    r"(?:(?:все|любые|предыдущие|прежние|прошлые|свои|твои)\s){0,4}(?:инструкции|указания"
    r"|правила)",
    r"(?:忽略|无视|無視|忘记|忘記|不要理会)[^。！!\n]{0,14}(?:指令|指示|说明|規則|规则|提示词"
    r"|要求)",
    r"(?:これまで|以前|前|上記|すべて|全て|今まで)[^。\n]{0,14}(?:指示|命令|ルール"
    r"|プロンプト)[^。\n]{0,6}"
    r"(?:無視|忘れ|破棄)",
    r"(?:이전|위|기존|모든|앞선)[^.\n]{0,14}(?:지시|명령|규칙|지침|프롬프트)[^.\n]{0,10}(?:무시"
    r"|잊)",
    r"(?:دستور|قوانین|قانون)[^.\n]{0,30}(?:نادیده بگیر|فراموش کن)",
    r"(?:تجاهل|انسَ?|أهمل)\s[^.\n]{0,16}(?:التعليمات|تعليمات|الأوامر|القواعد|التوجيهات)",
    r"(?:निर्देश|नियम|आदेश)[^।\n]{0,24}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा|उपेक्षा)",
    r"(?:önceki|tüm|yukarıdaki|bütün)[^.\n]{0,24}(?:talimat|yönerge|kural)\w{0,12}[^.\n]{0,12}"
    r"(?:yok say|unut|dikkate alma|görmezden gel)",
)

_PERSISTENCE = (
    r"\b(?:remember|memori[sz]e|save|store|keep|add|write|record)\b[^.\n]{0,60}\b(?:permanently"
    r"|forever"
    r"|for all future|in(?:to)? (?:your )?(?:long-term |permanent )?memory"
    r"|to (?:your )?(?:long-term "
    r"|permanent )?memory|memory\.md|user\.md|your notes)",
    r"\bremember (?:this|the following) (?:rule|instruction|policy|fact)",
    r"\bfrom now on\b|\bin (?:all|every|any) future (?:conversation|session|repl|chat|task)",
    r"\bmerke? dir\b[^.\n]{0,40}(?:dauerhaft|für immer|regel)|\b(?:von nun an|ab sofort"
    r"|ab jetzt)\b",
    r"\b(?:souviens-toi|mémorise|retiens|enregistre)\b[^.\n]{0,50}(?:définitivement|toujours"
    r"|règle|mémoire)"
    r"|\bà partir de maintenant\b|\bdésormais\b",
    r"\b(?:recuerda|memoriza|guarda)\b[^.\n]{0,50}(?:permanente|siempre|regla|memoria)"
    r"|\b(?:a partir de ahora|de ahora en adelante)\b",
    r"\b(?:lembre-se|memorize|salve|guarde)\b[^.\n]{0,50}(?:permanente|sempre|regra|memória)"
    r"|\b(?:a partir de agora|de agora em diante)\b",
    r"\b(?:ricorda|memorizza|salva)\b[^.\n]{0,50}(?:permanente|sempre|regola|memoria)"
    r"|\bd'ora in poi\b",
    r"(?:запомни|сохрани)[^.\n]{0,50}(?:навсегда|правило|памят)|\b(?:отныне|с этого момента)\b",
    r"永久(?:记住|保存|记忆)|记住(?:这条|以下)规则|(?:写入|保存到|存入)[^。\n]{0,8}记忆"
    r"|从现在(?:起|开始)|今后所有",
    r"永久に(?:記憶|覚え)|(?:メモリ|記憶)に(?:保存|書き|追加)|今後(?:すべて|常に|は必ず)"
    r"|これからは",
    r"영구(?:적으로|히)?\s?기억|(?:메모리|기억)에 (?:저장|추가)|앞으로 (?:모든|항상)|지금부터",
    r"برای همیشه (?:به خاطر|به یاد)|(?:در|به) حافظه[^.\n]{0,20}(?:ذخیره|ثبت|اضافه)|از این (?:پس"
    r"|به بعد)",
    r"(?:تذكر|احفظ|سجل)[^.\n]{0,40}(?:دائم|للأبد|الذاكرة|ذاكرتك)|من الآن فصاعد",
    r"हमेशा के लिए याद|(?:स्मृति|मेमोरी) में[^।\n]{0,16}(?:सहेज|सेव|जोड़)|अब से",
    r"(?:kalıcı olarak|sonsuza dek) (?:hatırla|kaydet)|(?:hafızana|belleğine) kaydet"
    r"|bundan (?:sonra|böyle)",
)

_CONCEALMENT = (
    r"\b(?:do not|don't|never|must not|dont)\s(?:ever\s)?(?:tell|mention|reveal|show|inform"
    r"|notify|alert"
    r"|disclose)\b[^.\n]{0,30}\b(?:user|human|owner|operator|person)\b",
    r"\bwithout (?:telling|asking|informing|notifying|alerting|the knowledge of)\s(?:the )?"
    r"(?:user|human|owner|operator)",
    r"\b(?:silently|secretly|quietly|covertly)\s(?:send|forward|add|run|execute|copy|upload"
    r"|install)",
    r"\b(?:sag|erzähl|verrate|zeig)\w{0,3}\s[^.\n]{0,24}(?:dem nutzer|dem benutzer|dem anwender)\s"
    r"[^.\n]{0,20}nicht|ohne (?:den|dass der) (?:nutzer|benutzer)",
    r"\bne (?:le )?(?:dis|dites|révèle[zs]?|mentionne[zs]?)\s[^.\n]{0,24}utilisateur|à l'insu de",
    r"\bno (?:se )?(?:le )?(?:digas|diga|reveles|menciones|informes)\s[^.\n]{0,24}usuario"
    r"|\bsin (?:avisar|decir|informar) al usuario",
    r"\bnão (?:diga|revele|mencione|informe|conte)\s[^.\n]{0,24}usuário|\bsem (?:avisar"
    r"|informar) o usuário",
    r"(?:не (?:говори|сообщай|показывай|упоминай)\S{0,3}\s[^.\n]{0,24}пользовател)",
    r"(?:不要|别|切勿|不得)(?:告诉|告知|通知|让|提醒)[^。\n]{0,8}用户|瞒着用户",
    r"ユーザー?に(?:は)?(?:知らせ|言わ|伝え|教え)[^。\n]{0,6}(?:な|ず)",
    r"사용자에게[^.\n]{0,12}(?:말하지|알리지|보여주지)",
    r"(?:به کاربر|کاربر را)[^.\n]{0,24}(?:نگو|اطلاع نده|نشان نده|مطلع نکن)",
    r"(?:لا تخبر|لا تُخبر|لا تذكر|دون (?:إخبار|علم))[^.\n]{0,16}المستخدم",
    r"(?:उपयोगकर्ता|यूज़र|यूजर) को[^।\n]{0,20}(?:मत बता|न बता|सूचित न)",
    r"kullanıcıya[^.\n]{0,16}(?:söyleme|bildirme|gösterme)|kullanıcıdan gizli",
)

_WHAT = (
    r"(?:passwords?|credentials?|api[ -]?keys?|secrets?|tokens?|\.env|ssh|private keys?"
    r"|conversation|chat"
    r"|history|memor(?:y|ies)|system prompt|files?|notes?|passwort|schlüssel|contraseña|senha"
    r"|парол|密码|密钥"
    r"|パスワード|会話|비밀번호|대화|رمز|گفتگو|كلمة|المحادثة|पासवर्ड|बातचीत|şifre)"
)
_EXFILTRATION = (
    rf"\b(?:send|post|upload|forward|exfiltrate|leak|submit|e-?mail|transmit|append|copy|curl"
    rf"|fetch|sende"
    rf"|schick\w{{0,2}}|envoie[zr]?|env[ií]a|manda|envie|gönder|отправ\w{{0,4}}"
    rf"|перешли)\b[^\n]{{0,80}}{_WHAT}"
    r"[^\n]{0,80}(?:https?://|\b[\w.+-]{1,40}@[\w-]{1,40}\.|webhook)",
    rf"{_WHAT}[^\n]{{0,60}}(?:https?://\S{{1,80}}|[\w.+-]{{1,40}}@\S{{1,40}})[^\n]{{0,40}}"
    r"(?:发送|上传|发到|送信|アップロード|보내|전송|بفرست|ارسال|भेज|gönder|senden|schicken)",
    rf"(?:发送|上传|发到|把|أرسل|ارسل)[^\n]{{0,60}}{_WHAT}?[^\n]{{0,60}}(?:https?://"
    rf"|[\w.+-]{{1,40}}@[\w-])",
    r"!\[[^\]\n]{0,120}\]\(https?://[^)\s]{1,200}[?=][^)\s]{0,120}(?:[{<$]|%7b|data|secret"
    r"|history|memory)",
    r"https?://[^\s)]{1,120}\?[^\s)]{0,60}=(?:\{|\$\{|<|\[)[^\s)]{1,60}",
    r"\b(?:reveal|print|repeat|output)\s(?:your|the)\s(?:full |entire |hidden )?system prompt",
)

_ROLE = (
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id"
    r"|end_header_id)\|>",
    r"\[/?INST\]|<</?SYS>>",
    r"^\W{0,6}(?:system|developer)(?: (?:message|prompt|instructions?|override|notice"
    r"|update))?\W{0,2}"
    r"[:\]>]\s{0,3}(?:you|ignore|always|never|from|the user|new|remember|all|assistant)",
    r"</?(?:system|developer|assistant|instructions?|system_prompt|system-reminder)>",
    r"\b(?:message|notice|update|directive|order|instruction)s? from (?:the |your )?(?:system"
    r"|developers?"
    r"|administrators?|admin|anthropic|openai|hermes|security team|creators?)\b",
    r"\bthe user (?:has |already )?(?:has |already )?(?:pre-?)?(?:approved|authori[sz]ed"
    r"|consented)",
)

_FENCE = (
    r"<\s{0,4}/\s{0,4}(?:recalled|memory|memories|untrusted\w{0,12}|data|tool_results?"
    r"|context)\s{0,4}>",
    r"<(?:recalled|memory|memories)\b[^>\n]{0,120}\b(?:trust|origin)\b",
    r"\[BLOCKED|^\s{0,4}§\s{0,4}$",
    r"^\W{0,8}(?:end|begin)(?: of)? (?:the )?(?:untrusted|recalled|memory|context|document"
    r"|tool output"
    r"|tool result|user input|data|quoted)\b",
    r"[\"']?\btrust[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:high|3)\b"
    r"|[\"']?\borigin[\"']?\s{0,3}[:=]\s{0,3}[\"']?user\b",
)

_TOOL = (
    r"<(?:tool_calls?|function_calls?|invoke|tool_use|antml)\b",
    r"[\"'](?:tool|function|name|action|tool_name)[\"']\s{0,3}:\s{0,3}[\"'](?:memory|memory_add"
    r"|save_memory"
    r"|add_memory|add|replace|terminal|bash|shell|run_command|send_email|write_file"
    r"|skill\w{0,10})[\"']",
    r"\bmemory\s{0,2}\(\s{0,4}[\"']?(?:action|target|operation|add)\b",
    r"\b(?:call|use|invoke|run|execute)\s(?:the\s|your\s)?[`\"']?(?:memory|terminal|shell|bash"
    r"|send_email"
    r"|browser|skill)[`\"']?\s(?:tool|function)\b",
    r"\b(?:curl|wget)\b[^\n|]{1,120}\|\s{0,3}(?:ba|z)?sh\b",
    r"\bdecode\b[^.\n]{0,60}\bbase64\b[^.\n]{0,60}\b(?:follow|execute|obey|run)",
    r"\bbase64\b[^.\n]{0,60}\bdecode\b[^.\n]{0,60}\b(?:follow|execute|obey|run)",
)

SIGNS: dict[str, tuple[str, ...]] = {
    "override": _OVERRIDE,
    "persistence": _PERSISTENCE,
    "concealment": _CONCEALMENT,
    "exfiltration": _EXFILTRATION,
    "role-marker": _ROLE,
    "fence-spoof": _FENCE,
    "tool-call": _TOOL,
}
