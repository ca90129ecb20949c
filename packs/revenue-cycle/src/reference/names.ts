/**
 * Pools of invented names for people, places and organisations. Common given and family names of many origins, mixed at random
 * by the generator: a full name that matches a living person does so by chance only.
 */
import { freezeDeep } from "./table.js";

const words = (text: string): readonly string[] => Object.freeze(text.trim().split(/\s+/));
const lines = (text: string): readonly string[] =>
  Object.freeze(
    text
      .trim()
      .split("\n")
      .map((line) => line.trim()),
  );

export const FEMALE_FIRST_NAMES = words(`
  Abena Adriana Aisha Akiko Alma Amara Amina Ana Anjali Anneke Astrid Ayesha Beatriz Bettina Birgit Blanca Bronwyn Camila Carmen
  Cecily Chiara Chloe Daniela Deborah Delphine Divya Dolores Edith Elena Eloise Esther Farah Fatima Fiona Freya Gabriela Gloria
  Grace Hana Harriet Helga Ines Ingrid Irina Isabel Ivy Jasmine Joan Judith Kavita Keiko Khadija Kiona Lakshmi Leilani Lena
  Lucia Lupe Mabel Marisol Maya Mei Mercy Mirela Miriam Nadia Naomi Ngozi Nilufar Noor Odette Olga Oyindamola Paloma Parvati
  Patience Priya Rana Renata Rosa Ruth Sakura Salma Saoirse Selma Shanice Simone Soledad Sunita Tamara Thandi Tuyet Uma Valentina
  Vera Violet Wanda Wilhelmina Ximena Yara Yesenia Yolanda Zahra Zelda Zuzana`);

export const MALE_FIRST_NAMES = words(`
  Abdul Adebayo Ahmed Akira Alejandro Alonzo Amir Anders Andre Anton Arjun Armando Arturo Ashok Benedict Bogdan Brendan Carlos
  Cedric Chidi Clarence Cyrus Dariusz Desmond Diego Dinesh Dmitri Eamon Edmund Eduardo Elias Emeka Emilio Enrique Ernesto Esteban
  Ezekiel Felix Fernando Francisco Gideon Giorgio Goran Gustav Hamza Hassan Hector Henrik Hiroshi Hugo Ibrahim Ignacio Imran
  Isaac Ivan Jamal Javier Joaquin Jonas Joseph Kamal Karim Kenji Kofi Kwame Lamar Laszlo Leon Lorenzo Luca Lucian Malik Manuel
  Marcus Mateo Matthias Mikhail Mustafa Nathaniel Nikolai Obinna Omar Oscar Pablo Pavel Percy Quentin Rafael Ravi Reginald Ricardo
  Rohan Roman Samuel Sanjay Santiago Sergio Sione Stefan Tariq Teodor Thabo Tomas Uri Viktor Vincent Wendell Winston Xavier Yusuf
  Zachary Zoltan`);

export const FIRST_NAMES: readonly string[] = Object.freeze([...FEMALE_FIRST_NAMES, ...MALE_FIRST_NAMES]);

export const LAST_NAMES = words(`
  Abara Abernathy Acheampong Adeyemi Aguirre Ahmadi Akintola Albrecht Alvarado Amundsen Anand Antonov Aranda Asante Atwater Azizi
  Bakshi Balogun Banerjee Barlow Bautista Beaumont Bergstrom Bianchi Blackwood Boateng Borowski Brennan Bui Caballero Calloway
  Carvalho Castellano Cervantes Chaudhry Chen Cisneros Contreras Czerny Dang Delacroix Desai Diallo Dominguez Drummond Duong
  Echeverria Ekstrom Ellsworth Escobar Eze Fairbanks Farouk Fernandes Fitzgerald Fontaine Gallegos Ganesan Gebre Gomes Greenwood
  Gutierrez Haddad Hallstrom Hamidi Hargrove Hashimoto Haugen Hernandez Holloway Horvat Huang Ibarra Ito Iwu Jaramillo Johansson
  Kamau Kapoor Kaur Kessler Khoury Kimura Kowalczyk Krishnan Kuznetsov Lachance Larkin Lim Lindqvist Lozano Macdonald Mahmoud
  Marchetti Mbeki Mendoza Mensah Merriweather Moreau Morozov Mukherjee Nakamura Navarro Ndlovu Ngata Nguyen Novak Nwosu Obi Ochoa
  Okafor Oliveira Ortega Osei Osman Ozturk Pacheco Park Patel Pelletier Petrov Pham Quiroga Rahman Ramaswamy Redmond Reyes
  Rosenthal Sadler Salazar Santoro Sato Schneider Serrano Shah Sithole Sorensen Strand Suzuki Takahashi Tesfaye Thackeray Tran
  Underhill Valdez Vance Varga Velasquez Verma Voss Wadsworth Wairimu Watanabe Whitlock Wren Yamamoto Yeboah Zamora Zhang Zielinski`);

export const STREETS = lines(`
  Alder Court
  Basin Road
  Beacon Hill Lane
  Birchwood Drive
  Bluff Street
  Canal Avenue
  Cedar Ridge Way
  Chandler Street
  Clover Hollow Road
  Copperfield Lane
  Dogwood Terrace
  East Ferry Street
  Elm Grove Avenue
  Fallow Field Road
  Foundry Street
  Garnet Avenue
  Granary Lane
  Harbor Point Drive
  Heron Way
  Hickory Bend
  Ironwood Court
  Juniper Street
  Kestrel Drive
  Lantern Hill Road
  Larkspur Lane
  Linden Avenue
  Maple Hollow Drive
  Meadowlark Court
  Mill Race Road
  North Quarry Street
  Oak Barrens Road
  Old Tannery Lane
  Orchard View Drive
  Pebble Creek Way
  Pine Needle Court
  Quail Run
  Ridgeline Avenue
  River Bend Road
  Sage Street
  Sandpiper Lane
  Schoolhouse Road
  Sparrow Court
  Stonebridge Drive
  Sycamore Avenue
  Thistle Lane
  Tollgate Road
  Walnut Street
  West Landing Road
  Willow Run
  Windmill Lane`);

/** An invented town with a state code and a ZIP code of five digits. */
export interface City {
  readonly city: string;
  readonly state: string;
  readonly zip: string;
}

const city = (line: string): City => {
  const [name = "", state = "", zip = ""] = line.split(",").map((part) => part.trim());
  return { city: name, state, zip };
};

export const CITIES: readonly City[] = freezeDeep(
  lines(`
  Alderbrook, TX, 75099
  Ashmoor, OK, 73099
  Barrow Creek, AR, 72099
  Bellhaven, LA, 70099
  Brindle Falls, TN, 37099
  Cedar Mills, TX, 76099
  Copper Landing, NM, 87099
  Dunmore Springs, CO, 80099
  Eastwick, MS, 39099
  Fernhollow, AL, 35099
  Granite Point, GA, 30099
  Harrow Lake, FL, 32099
  Juniper Flats, NM, 88099
  Kingsferry, SC, 29099
  Larchmere, NC, 27099
  Maple Junction, TN, 38099
  North Eddy, VA, 22099
  Oxbow, WV, 25099
  Pinehurst Gap, KY, 40099
  Quarry Heights, TX, 78099
  Redwater Bend, OK, 74099
  Saltmarsh, FL, 34099
  Tannersville Cross, AR, 71099
  Windrow, CO, 81099`).map(city),
);

export const SUPPLIER_NAMES = lines(`
  Bridgewell Home Medical
  Canopy Respiratory and Mobility
  Cornerstone Orthotics and Prosthetics
  Evergreen Medical Supply
  Lakeshore Home Oxygen
  Millrace Durable Equipment
  Northstar Mobility
  Prairie Wind Home Care Supply
  Silver Fern Medical Equipment
  Three Rivers Respiratory`);

export const PRACTICE_NAMES = lines(`
  Aspen Grove Family Medicine
  Bayview Pulmonary Associates
  Cedar Point Neurology
  Clearwater Infusion Center
  Fairmont Orthopedics
  Goldfinch Internal Medicine
  Harvest Road Rheumatology
  Highland Sleep Center
  Juniper Wound Clinic
  Lantern Hill Oncology
  Meridian Street Endocrinology
  Oak Terrace Rehabilitation
  Pinnacle Urology
  Riverstone Cardiology
  Stonegate Gastroenterology
  Willow Creek Home Health`);

export const HOSPITAL_NAMES = lines(`
  Alderbrook Regional Hospital
  Bellhaven Community Hospital
  Cedar Mills Medical Center
  Harrow Lake Memorial
  Larchmere University Hospital
  Saint Brannoc Hospital`);

export const AMBULANCE_NAMES = lines(`
  Blue Ridge Transport
  Kingsferry Rescue
  Metro Wheel and Stretcher
  Saltmarsh Ambulance`);

export const REFERRING_DOCTORS = lines(`
  Abigail Thornquist
  Adaeze Onwuka
  Bertrand Lacroix
  Carlotta Vespucci
  Dermot Hallighan
  Esperanza Villareal
  Farid Qasemi
  Gunnar Ostergaard
  Hye-jin Moon
  Ifeoma Chukwu
  Jarmila Hruba
  Kaveh Sohrabi
  Leocadia Prieto
  Mahendra Kulkarni
  Niamh Corrigan
  Octavio Barrientos
  Prudence Makepeace
  Quang Doan
  Rosalind Featherstone
  Sefu Mwangi
  Tatiana Voloshina
  Ulrich Brandstetter
  Vashti Ramnarine
  Wairua Tamatea
  Yitzhak Perlstein
  Zainab Al-Rashid`);

/** An employer and its headcount, which decides who pays first for a working person over 65. */
export interface Employer {
  readonly name: string;
  readonly employees: number;
}

export const EMPLOYERS: readonly Employer[] = freezeDeep([
  { name: "Barrow Creek Hardware", employees: 7 },
  { name: "Dunmore Bakery", employees: 11 },
  { name: "Ostrander Surveying", employees: 12 },
  { name: "Pellham and Daughters Upholstery", employees: 9 },
  { name: "Quarry Heights Veterinary", employees: 14 },
  { name: "Redwater Print Shop", employees: 16 },
  { name: "Fernhollow Nursery", employees: 18 },
  { name: "Eastwick Machine Works", employees: 34 },
  { name: "Granite Point Foods", employees: 85 },
  { name: "Larchmere Textiles", employees: 140 },
  { name: "Windrow School District", employees: 420 },
  { name: "Maple Junction Freight", employees: 260 },
  { name: "Oxbow Timber", employees: 75 },
  { name: "Kingsferry Port Authority", employees: 310 },
  { name: "Harrow Lake Electric Cooperative", employees: 190 },
  { name: "Saltmarsh Seafood", employees: 52 },
  { name: "Ashmoor Insurance Agency", employees: 22 },
  { name: "Copper Landing Mining", employees: 640 },
  { name: "Bellhaven Shipyard", employees: 900 },
  { name: "Juniper Flats County", employees: 230 },
]);
