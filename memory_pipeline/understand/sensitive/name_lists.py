"""Own short lists of given names, and of capitalised words that are none."""

from memory_pipeline.understand.word_blocks import words

GIVEN_NAMES = frozenset(
    words("""
    abena abiodun adaeze adebayo adeola aditi ahmad aileen aina aishwarya akash akua alana alba alessandro alfonso alistair aliyah
    allan alma alonso aloysius althea alvaro amadou amal amalia ambrose ameer aminata amos anaïs ananya anastasiya anatoly aneta angus
    anika aniket anneke anselm antoine antonia anwar aoife archie ari arlo armando arnaud arnold arsen artem arturo asif aspen astor augusto
    aurelia avery ayo aylin azadeh azeez babak barnaby bartholomew basil bashir bea beatriz bella belinda benita benjamín bernadette bernice
    berta bertha bianca birgit bjarne blanca blessing bogdan brady branko brendan brent brigitte bronwyn bryce burak caitlin calvin camilla
    candice carina carlo carmela caro cary casper cassidy catalina cathal cem cesar chana chandler chantal chen chike chinedu ciara cillian
    claudette claudio clay clifford clint colette colleen concepción consuelo cora cordelia cornelia cosmo cyril dafydd dagny dahlia damaris
    damon dante daphne darcy dario darlene daryl dave davina dawit deb declan dede delilah della demetrius denzel desiree devin diarmuid dilara
    dilip dirk divya dmitriy dolly dominika dominique donovan doreen dorian drew duane dulce dwayne eamon ebony efua eilidh eira ekaterina eleni
    eliana eliot eliza elliott elmer elodie elsie elvira elvis ember emeka emir emre enid enrique enzo erdem erich ernesto errol esteban estelle
    etienne eunice eva evangeline everett ezra fabio fabrizio farrah farouk federico fergus ferenc fernanda finn finlay fionn flavia fletcher flora
    florian folake forrest francine franco francois françois franz frederic fumiko gabor gabriele gaia galina garrett gaurav gemma genevieve george
    geraldine germaine gianna gideon gilbert gilda giles gillian ginger gino giuseppe glenda goran gottfried grady graeme gregor griffin guadalupe
    gunther gustavo gwendolyn hafsa haley halima hamish hamza hanne hari harlan harper harrison hashim hattie hayden hayley hedda hedwig heidi
    heinrich helmut hendrik henrietta herman hermione hilda hildegard hira homer horace hortense hussein huda ichiro idris ifeoma ignacio ikram
    ilana ileana ilias ilona ilse imogen indira inez ingeborg inigo ioannis iolanthe iqbal isaiah isidore ismail isolde itzel iván iwona izabela
    jacinta jacques jadwiga jaleesa jamal jamila janek janine jarek jarvis jasper javad jayden jeanette jeanne jedediah jemima jens jerzy jethro
    jewel jiho jimena jiří joaquim jochen jody johannes jolene jona josefina josiah josie jovan joão juliane julieta julio julius jurgen jürgen kacper
    kaito kalpana karol karolina karsten kasia kaspar kateryna katharina kathrin kavita kazimir keira keiko kelechi kelvin kerry khalid kian kieran
    kirk kirsty kirill kofi kojo komal kris krishna kseniya kunal kwabena kwasi kyra laila lamar lana lance laszlo latisha latoya laurel lauri
    lavinia lawrence layla lazaro leander leandro leif leila leland len lennart lenora leonie leonor leopold lesley leticia levi lila lilian lilla
    lilo linnea linus lionel lior lisbeth livia lloyd lluís loïc lorelei lorna lottie lou louella lourdes luan luc lucian luciana lucinda lucius
    ludmila ludwig luigi lupe lyle lyudmila maarten maddie maeve magdalena magnolia maia maisie maja makoto malgorzata mamadou manfred mandy manish
    manon marceline margery margit margo marguerite mariam maribel marigold marilyn marisol maritza marjan marko marlon marlowe marsha marta
    marthe martijn maryam masha massimo matej mathilde matias matthias maud mauricio mavis maximilian mckenna meera mehdi melody melvin mercy meredith
    merle mervyn michał micah michalis micheal mieke mihai mikael mikhaela mikkel milan milana milica millicent millie milton mirela miroslav
    miriam mitch mitsuko miyuki moritz mona monique morag mordecai morris moses muhammed murat mustafa myra myrtle nabil nadir naima nana nanette
    naoko naomi narges nasir nayeli neha nela nell nelly nestor neville ngoc nguyen nicholai nicky nico nicoletta nikhil nikolaj nils ninette nikola
    nivedita noelle nolan nora norbert noreen nuno nuria nur nura oana octavia odalys odessa odin ofelia okeoghene oksana oluwaseun olufemi olumide
    oluwadamilare onyeka oona ophelia orla orlando orson osama osvaldo oswald ottilie ousmane padma padraig paloma pandora paola parker parvati
    patience patrice patricio patrizia pearce pedro per percival perla petr petros petunia philippe philomena piers pilar pip piper placido pooja
    pradeep prashant preston primrose prudence qasim quincy rabia rafaela rafal ragnar rahul raisa ralf ramesh ramiro rana rania raquel rasmus
    raymond reba reece reggie reginald reinhard remy renato renee rhiannon rhoda rhonda ricarda rico riley rina rishi rivka rob rocio roderick
    rodolfo roisin rolf roman romana romy ronan ronaldo ronnie rosalia rosalie rosalinda rosamund rosario roscoe roshan rowan rowena roza rudolf
    rudy ruslan rustam saanvi sacha safiya saga sahar saira salim salome salvador salvatore samina sammy sander sandeep sanna santino saoirse
    saskia satoshi savannah scarlett sebastián seema serge severin shah shamus shanice shanti sharif shauna shawn shayna sheldon sheryl
    shinji shira shivani shona shreyas siân sidonie sigmund signe silas silvio simeon simona sinead siobhan slavomir sloane sofie soledad solveig
    sonja sorcha soraya spencer srinivas stanislav stefano stig stuart sukhdeep suki sumaya sunniva suresh susannah susana sushila suzan svein
    sybil tadeusz taavi tabea taha tahira takumi tal talia tallulah tama tamar tamás tanisha tanner tarek tatyana taylor temperance tendai teodor
    terence tessa thaddeus thandiwe thérèse thomasina thora thorsten thu tiago tibor timo timur titus tiziana tobiasz tomasz tomislav tommaso toni
    tonya torsten tova travis trina trinity tristan trudy tuan tucker tunde ugo ulrich ulrike umberto una unai uriel valentin valentino valter
    vaughn veda velma venus verity vicky vida vidya vikki vilma vinay violeta virgil vito vivek vivienne vlad volodymyr wallace wanjiru warwick wenceslas
    wendell weronika wilfredo willa willard winnie winona wojciech woodrow wouter xander xiao ximena xiomara yael yannick yaroslav yash yasin yetunde yoko
    yolande yoshi yu yui yuna yunus yusra yves zahra zane zara zbigniew zdenek zelda zena zenon zev zhanna zia zinaida zita ziva zofia zora zuzana
    aaron abby abdul abigail ada adam adele adrian adriana agnes ahmed aidan aiko aisha akira alan albert alejandro
    aleksandr aleksei alex alexa alexander alexandra alexei alexey alfred ali alice alicia alina alison allison alyssa
    amanda amara amber amelia amina amir amit amy ana anastasia anders andre andrea andreas andrei andrew andrey angel
    angela angelica anika anil anita anja ann anna anne annette annie anthony antonio anton anya april aria ariana arjun
    arthur arun asha ashley astrid aubrey audrey aurora austin ava axel aya ayesha barbara beatrice becky ben benedict
    benjamin bernard beth bethany betty beverly bill billy bjorn björn bob bonnie boris brad bradley brandon brenda brett
    brian brianna bridget britney brooke bruce bruno bryan caleb callum cameron camila camille carl carla carlos carmen
    carol caroline carolyn carrie carter casey cassandra catherine cathy cecilia cedric celia chad chandra charles charlie
    charlotte chelsea chen cheng cheryl chiara chidi chioma chloe chris christian christina christine christopher cindy
    claire clara clarence claudia clement clive cody colin connor conor constance corey courtney craig cristina crystal
    curtis cynthia daisy dale damian dan dana daniel daniela danielle danny daria darius darren dave david dawn dean
    deborah declan deepa deepak delia denis denise dennis derek desmond devon diana diane diego dieter dimitri dina dinesh
    dmitri dmitry dolores dominic don donald donna dora doris dorothy doug douglas dylan ed eddie edgar edith eduardo
    edward edwin eileen elaine eleanor elena eli elias elif elijah elisa elise elizabeth ella ellen ellie elliot elsa
    emil emilia emily emma emmanuel eric erica erik erika erin ernest esme esther ethan eugene eva evan eve evelyn evgeny
    fabian faith farah farid fatima felicia felix fernando fiona florence frances francesca francis francisco frank
    franklin fred freddie frederick freya frida gabriel gabriela gail gareth gary gavin gemma gene geoff geoffrey george
    georgia gerald gerard gina giorgio giovanni giulia gita glen glenn gloria gordon grace graham grant greg gregory greta
    greg gretchen guido guillermo gunnar gustav guy gwen hamid hana hannah hans harold harriet harry haruki harvey hassan
    hazel heather hector heidi helen helena helene hélène helga henrik henry herbert hilary hiro hiroshi holly hope howard
    hubert hugh hugo ian ibrahim ida igor ilya imani imran ines inga ingrid ioana irene irina iris isaac isabel isabella
    isla ivan ivana ivy jack jackie jackson jacob jacqueline jade jaime jake jakob james jamie jan jana jane janet janice
    jared jasmine jason javier jay jean jeff jeffrey jenna jennifer jenny jeremy jerome jerry jesse jessica jessie jill
    jim jimmy jin joan joanna joanne joao joaquin joaquín jocelyn jodie joe joel johan johann johanna john johnny jon
    jonas jonathan jordan jorge jose josé joseph josephine josh joshua joy joyce juan juanita judith judy julia julian
    juliana julie juliet jun june justin jyoti kai kamal kamila karen karim karin karina karl karla kate katerina katharine
    katherine kathleen kathryn kathy katie katrina katya kay kayla keith kelly ken kendra kenji kenneth kenta kevin khadija
    kim kimberly kira kiran kirsten klaus konstantin kristen kristin kristina krzysztof kurt kwame kyle lakshmi lara larisa
    larry lars laura lauren laurence leah lee leila lena leo leon leonard leonardo leroy leslie lewis li liam lidia lila
    lillian lily lin lina linda lindsay lisa liz logan lois lola lorenzo lorna lorraine louis louisa louise luca lucas
    lucia lucille lucy luis luisa luka lukas luke luna luther lydia lynn mabel mackenzie madeline madison mae magda magnus
    mahmoud malcolm malik manuel mara marc marcel marcia marco marcos marcus margaret margarita margot maria marian
    mariana marie marina mario marion marisa marjorie mark marlene marta martha martin martina marvin mary maryam mason
    mateo mathias matilda matt matteo matthew maureen maurice max maxim maxine maya megan mehmet mei melanie melinda
    melissa mercedes mercy mia michael michaela michel michelle miguel mika mike mikhail mila mildred miles milena milo
    min mina mindy minh miriam mitchell mohamed mohammed moira molly monica monika morgan moses muhammad muriel murray
    nadia nadine nancy naomi natalia natalie natasha nathan nathaniel neha neil nelson nia nicholas nick nicola nicolas
    nicole niels nigel nikita niklas nikolai nikos nina ngozi noah noel noor nora norma norman odette olaf ole oleg
    olena olga oliver olivia omar omari oscar oskar otto owen pablo paige pam pamela paolo pascal patricia patrick patty
    paul paula pauline pavel pearl pedro peggy penelope penny percy perry peter petra phil philip philippa phillip phoebe
    pia pierre piotr polly prakash pranav priya priyanka quentin quinn rachel rafael raj rajesh ralph ramona ramon randall
    randy raphael rashid raul ravi ray raymond rebecca reed regina renata rene renee rhys ricardo richard rick rita robert
    roberta roberto robin rochelle rodney rodrigo roger roland roman ron ronald rory rosa rosalind rose rosemary rosie ross
    roxanne roy ruben ruby rufus rupert russell ruth ryan sabina sabrina sadie said sally salma sam samantha samir samuel
    sandra sanjay santiago sara sarah sasha saul scott sean sebastian selena selma serena sergei sergey sergio seth shane
    shannon sharon shaun sheila shelby shirley shreya sidney siegfried sigrid silvia simon simone sofia solomon sonia sonya
    sophia sophie soren sølve stacey stacy stan stanley stefan stefania stella stephanie stephen steve steven stewart stuart
    sue sunil sunita susan susanna suzanne svetlana sven sylvia tabitha takeshi tamara tamika tanya tara tariq tatiana ted
    teresa terrence terry tess thea thelma theo theodore theresa thomas tiffany tim timothy tina tobias toby todd tom tomas
    tommy tomoko tony tracey tracy travis trevor tricia tristan troy tyler uma ursula usha valentina valeria valerie vanessa
    vera verna vernon veronica vicente vicki victor victoria vijay vikram viktor vincent viola violet virginia vivian
    vladimir wade walter wanda warren wayne wei wendy werner wesley wilbur wilfred wilhelm wilhelmina will william willie
    wilma winifred winston wolfgang xavier yan yara yasmin yasmine yolanda yosef yuki yulia yuri yusuf yvette yvonne zach
    zachary zainab zara zeynep zhang zoe zoey zoya
    """)
)

NOT_NAMES = frozenset(
    words("""
    the a an and or but if when while where what why how who this that these those there here it its it's i i'm i'll i've
    my your our their his her we we're we'll you you're he she he's she's they is are was were be been has have had do does did don't
    can could will would should may might must not no yes ok okay hi hello hey dear thanks thank please sorry best kind regards
    cheers sincerely monday tuesday wednesday thursday friday saturday sunday january february march june july august september
    october november december spring summer autumn winter christmas easter halloween thanksgiving new old north south east west
    great united kingdom states america american english british french german russian spanish italian chinese japanese europe
    european asia african london paris berlin moscow york boston chicago texas california florida washington madrid rome tokyo
    street road avenue lane drive boulevard court square park place way hill flat apt suite box route rural address line
    university college school hospital hotel airport station bank inc ltd llc corp company group partners team department office
    hr it ceo cto qa pr api url http https sql json python java javascript typescript react docker linux windows mac google
    apple amazon microsoft facebook meta twitter slack zoom github gitlab jira netflix spotify youtube whatsapp telegram signal
    visa mastercard paypal venmo stripe iban swift bic vat ein ssn dob tel phone email mail mobile home work name account number
    mr mrs ms dr prof sir lady lord king queen prince princess pope saint st president minister senator captain officer agent
    god jesus christ bible star wars harry potter red blue green black white gold silver big little good bad happy merry
    credit card order invoice ticket case project release version part section chapter page table figure note update re fw fwd
    also after before then so just let one two three first last next every some any all both each more most many much
    aunt auntie uncle coach nurse professor judge detective sister brother father mother grandma grandpa granny cousin chef pastor rev
    reverend sergeant colonel ask call tell ping meet met contact found got saw has invite send forward pay book add remove cc attn signed
    passenger patient tenant client guest owner landlord driver also only even still yet now today tomorrow yesterday tonight welcome
    congrats congratulations happy birthday regards yours truly warmly respectfully sent received deliver ship attention love hugs xoxo
    beneficiary payee recipient cardholder holder sender buyer seller employee manager director attendee candidate applicant student
    los las san santa sao angeles francisco diego vegas orleans scale unlimited agency knowledge investments quinta death valley burger stack overflow game boy rolling stones wells fargo goldman sachs
 general electric motors home depot whole foods trader union army navy force club league cup
    in on at by for from to of with without about as into over under up down off out hr's sprint backend frontend redis postgres
    """)
)

# words that the dictionary knows as names and chats use as words, and the other way round
NOT_RU_SURNAMES = frozenset(
    words("""
    бог слава богу господь мир москва питер россия невский привет спасибо добрый день утро вечер здравствуйте уважаемый
    уважаемая уважаемые дорогой дорогая господин госпожа доктор профессор папа мама бабушка дедушка дядя тетя тётя брат сестра
    запись заказ договор паспорт адрес банк школа завод институт университет хутор майя лето весна осень зима рождество
    пасха новый год улица проспект дом корпус квартира область край район город село посёлок купала
    """)
)

# common given names; a lower-case word is looked at only when it begins like one of them
RU_GIVEN = frozenset(
    words("""
    александр александра алексей алена алёна алина алиса алла анастасия анатолий андрей анна антон антонина аркадий арсений артем артём
    артур борис вадим валентин валентина валерий валерия василий василиса вера вероника виктор виктория виталий владимир владислав
    вячеслав галина геннадий георгий герман глеб григорий давид даниил данила дарья денис диана дмитрий евгений евгения егор екатерина
    елена елизавета ефим жанна захар зинаида зоя иван игорь илья инна инга инесса ирина кирилл кира кристина ксения константин лариса лев
    леонид лидия лилия любовь людмила майя макар максим маргарита марина мария марк марат матвей мирон мирослава михаил надежда наталья
    наталия никита николай нина оксана олег олеся ольга павел полина петр пётр прохор раиса регина ренат ринат роберт роман руслан рустам
    савелий светлана семен семён сергей софия софья станислав степан тамара тарас татьяна тимофей тимур ульяна федор фёдор эдуард элина
    эльвира эльдар эмма юлия юрий яков яна ярослав саша даша маша катя лена света оля наташа таня ваня петя коля миша дима лёша леша
    женя юля аня настя костя
    """)
)

CITIES = frozenset(
    words("""
    москва москве москвы москву питер питере питера петербург петербурге казань казани самара самаре самары омск омске тула туле тверь твери
    пермь перми уфа уфе сочи рязань рязани калуга калуге пенза пензе томск томске курск курске орел орёл псков пскове минск минске киев киеве
    ереван ереване тбилиси баку астана астане алматы париж париже лондон лондоне берлин берлине прага праге рим риме россия россии крым крыму
    сибирь сибири урал урале украина украине байкал байкале
    """)
)
